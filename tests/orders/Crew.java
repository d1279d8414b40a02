// Threads of Java: a pool, a queue with limits of time, and what several add up to.
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Crew {
    static long work(int n) {
        long x = n;
        for (int i = 0; i < n; i++)
            x = x * 6364136223846793005L + i;
        return x;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4);
        AtomicInteger sum = new AtomicInteger();
        for (int k = 0; k < 3; k++) {
            final int who = k;
            pool.submit(() -> {
                for (int i = 0; i < 100; i++) {
                    work(100 * who);
                    queue.put(i);
                }
                return null;
            });
        }
        for (int got = 0; got < 300;) {
            Integer i = queue.poll(1, TimeUnit.MILLISECONDS);
            if (i == null)
                continue;
            sum.addAndGet(i);
            got++;
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + sum);
    }
}
