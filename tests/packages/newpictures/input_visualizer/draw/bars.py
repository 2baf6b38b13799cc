"""Bars as SVG."""


def svg(numbers, colour):
    bars = "".join(
        f'<rect x="{12 * at}" y="{100 - 10 * number}" width="10" height="{10 * number}" fill="{colour}"/>'
        for at, number in enumerate(numbers)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {12 * len(numbers)} 100">{bars}</svg>\n'
