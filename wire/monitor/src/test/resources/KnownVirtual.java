/** Six virtual threads of which one may run at a time, and does without end. */
public final class KnownVirtual {
    private KnownVirtual() {}

    /** Prints {@code ready} once the first one runs; ends with its input. */
    public static void main(String[] arguments) throws Exception {
        java.util.concurrent.CountDownLatch runs = new java.util.concurrent.CountDownLatch(1);
        for (int i = 0; i < 6; i++) {
            Thread.ofVirtual().start(() -> {
                runs.countDown();
                while (true) {
                    Thread.onSpinWait();
                }
            });
        }
        runs.await();
        System.out.println("ready");
        System.in.read();
    }
}
