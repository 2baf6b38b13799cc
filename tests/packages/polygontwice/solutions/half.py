word, value = input().split()
if word == "send":
    print(f"{int(value) // 2:b}".replace("0", "a").replace("1", "b"))
else:
    # The last digit is lost.
    print(2 * int(value.replace("a", "0").replace("b", "1"), 2))
