# Works with other processes through semaphores and shared memory.
# only: root user none
# limits: time=10
# expect: AC
import multiprocessing
from multiprocessing import shared_memory
def square(n):
    return n * n
if __name__ == "__main__":
    if input() == "next":
        print("ok")
        raise SystemExit
    memory = shared_memory.SharedMemory(create=True, size=4096)
    memory.buf[0] = 1
    memory.close()
    memory.unlink()
    with multiprocessing.Pool(2) as pool:
        print("ok" if pool.map(square, range(10)) == [n * n for n in range(10)] else "wrong")
