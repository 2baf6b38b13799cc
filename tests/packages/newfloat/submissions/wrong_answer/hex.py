print((float(input()) ** 0.5).hex())
