print("! 50")
