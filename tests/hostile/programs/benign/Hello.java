// A virtual machine with many threads and a heap that is reserved beforehand.
// only: root user users weak none
// limits: memory=512 time=5
// compile: time=60
// expect: AC
import java.util.stream.LongStream;

public class Hello {
    public static void main(String[] arguments) throws Exception {
        long sum = LongStream.range(0, 1000).parallel().sum();
        Thread thread = new Thread(() -> System.out.println(sum == 499500 ? "ok" : "wrong"));
        thread.start();
        thread.join();
    }
}
