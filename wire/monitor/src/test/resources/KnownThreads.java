import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that do known things, and know how long: runs on Java 17 and later. A line on standard input is answered with a line a
 * thread, {@code name|running|sleeping|wait|park|monitor} in nanoseconds, and an empty line; its end ends the program.
 */
public final class KnownThreads {
    static final List<Known> ALL = new ArrayList<>();
    static final Object HELD = new Object();
    static final Object SHARED = new Object();
    static final Object NEVER = new Object();
    static final ReentrantLock LOCK = new ReentrantLock();

    interface Step {
        void run(Known known) throws Exception;
    }

    /** A thread, and how long it was in each state. */
    static final class Known {
        final String name;
        final long[] ns = new long[5];
        int now;
        long sinceNs = System.nanoTime();

        Known(String name) {
            this.name = name;
        }

        synchronized void turn(int state) {
            long at = System.nanoTime();
            ns[now] += at - sinceNs;
            sinceNs = at;
            now = state;
        }

        void spin(long ms) {
            for (long end = System.nanoTime() + ms * 1_000_000; System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }
        }

        void sleep(long ms) throws InterruptedException {
            turn(1);
            Thread.sleep(ms);
            turn(0);
        }

        void await(Object on, long ms) throws InterruptedException {
            synchronized (on) {
                turn(2);
                on.wait(ms);
                turn(0);
            }
        }

        void park(long ms) {
            turn(3);
            for (long end = System.nanoTime() + ms * 1_000_000, left; (left = end - System.nanoTime()) > 0; ) {
                LockSupport.parkNanos(this, left);
            }
            turn(0);
        }

        void enter(Object monitor, long ms) {
            turn(4);
            synchronized (monitor) {
                turn(0);
                spin(ms);
            }
        }

        synchronized String line() {
            turn(now);
            StringBuilder line = new StringBuilder(name);
            for (long time : ns) {
                line.append('|').append(time);
            }
            return line.toString();
        }
    }

    static void start(String name, Step step) {
        Known known = new Known(name);
        ALL.add(known);
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    step.run(known);
                }
            } catch (Exception e) {
                e.printStackTrace();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] arguments) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        start("owns the monitor", known -> {
            synchronized (HELD) {
                held.countDown();
                known.sleep(100_000);
            }
        });
        held.await();
        start("sleeps for a long time", known -> known.sleep(100_000));
        start("waits for a long time", known -> known.await(NEVER, 0));
        start("parks for a long time", known -> known.park(100_000));
        start("blocks for a long time", known -> known.enter(HELD, 0));
        start("works and sleeps", known -> {
            known.spin(30);
            known.sleep(70);
        });
        start("sleeps and parks", known -> {
            known.sleep(400);
            known.park(600);
        });
        start("waits and parks", known -> {
            known.await(known, 600);
            known.park(300);
        });
        start("holds and lets go", known -> {
            synchronized (SHARED) {
                known.sleep(300);
            }
            known.sleep(300);
        });
        start("blocks and sleeps", known -> {
            known.enter(SHARED, 0);
            known.sleep(150);
        });
        ServerSocket server = new ServerSocket(0);
        Socket socket = new Socket("127.0.0.1", server.getLocalPort());
        start("reads from a socket", known -> socket.getInputStream().read());
        for (int i = arguments.length == 0 ? 0 : Integer.parseInt(arguments[0]); i > 0; i--) {
            int ms = 100 + i;
            start("idle thread " + i, known -> known.sleep(ms));
        }
        List<String> more = List.of(arguments);
        if (more.contains("gc")) {
            start("collects garbage", known -> {
                System.gc();
                known.sleep(150);
            });
        }
        if (more.contains("deadlock")) {
            LOCK.lock();
            new Thread(LOCK::lock, "wants the lock").start();
            CountDownLatch both = new CountDownLatch(2);
            deadlock("one", HELD.getClass(), KnownThreads.class, both);
            deadlock("two", KnownThreads.class, HELD.getClass(), both);
            both.await();
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        while (in.readLine() != null) {
            for (Known known : ALL) {
                System.out.println(known.line());
            }
            System.out.println();
        }
        System.exit(0);
    }

    static void deadlock(String name, Object first, Object second, CountDownLatch both) {
        Thread thread = new Thread(() -> {
            synchronized (first) {
                both.countDown();
                try {
                    both.await();
                } catch (InterruptedException e) {
                    return;
                }
                synchronized (second) {
                    throw new AssertionError();
                }
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }
}
