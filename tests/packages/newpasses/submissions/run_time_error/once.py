what, word = input().split()
assert what == "encode"
print(word[::-1] + "x")
