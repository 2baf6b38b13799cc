n = int(input())
print(n if n < {{most}} else "{{words.value}}")
