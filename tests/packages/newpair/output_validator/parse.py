def numbers(text):
    """The two numbers of an output, or None."""
    words = text.split()
    if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) < 20 for word in words):
        return None
    return int(words[0]), int(words[1])
