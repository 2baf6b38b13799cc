from square import square

print(square(int(input())))
