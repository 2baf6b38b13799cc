word, value = input().split()
if word == "send":
    print(f"{int(value):b}".replace("0", "a").replace("1", "b"))
else:
    print(int(value.replace("a", "0").replace("b", "1"), 2))
