/**
 * Threads that run known methods, and allocate at a known rate; runs on Java 17 and later. The end of standard input ends the
 * program.
 */
public final class KnownMethods {
    static final int STEPS = 2_000;
    static final long BYTES_A_SECOND = 20_000_000;
    static volatile long sink;
    static volatile Object held;

    /** Three times the work of {@link #shortWork}. */
    static long longWork(long seed) {
        long x = seed;
        for (int i = 0; i < 3 * STEPS; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            x ^= x >>> 29;
        }
        return x;
    }

    static long shortWork(long seed) {
        long x = seed;
        for (int i = 0; i < STEPS; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            x ^= x >>> 29;
        }
        return x;
    }

    static void both() {
        for (long x = 1; ; x++) {
            sink = longWork(x) + shortWork(x);
        }
    }

    static void onlyShort() {
        for (long x = 1; ; x++) {
            sink = shortWork(x);
        }
    }

    /** Allocates what is due by the clock, so that a busy machine changes nothing in the mean. */
    static void allocate() {
        long beganNs = System.nanoTime();
        for (long done = 0; ; ) {
            long due = (System.nanoTime() - beganNs) / 1000 * (BYTES_A_SECOND / 1_000_000);
            for (; done < due; done += 10_000) {
                held = new byte[10_000 - 16]; // with its header
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        start("both", KnownMethods::both);
        start("only-short", KnownMethods::onlyShort);
        start("allocates", KnownMethods::allocate);
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // until its end
        }
    }
}
