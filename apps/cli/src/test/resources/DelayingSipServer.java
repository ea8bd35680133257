import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers SIP requests on a UDP port of loopback, which it prints, after it has done what their header X-Do asks for: {@code sleep 300}
 * and so on, in milliseconds. Runs on Java 17 and later; the end of standard input ends it.
 */
public final class DelayingSipServer {
    static final Object LOCK = new Object();
    static final List<byte[]> BALLAST = new ArrayList<>();
    static final ExecutorService WORKER = Executors.newSingleThreadExecutor(run -> named("sip-worker", run));

    static Thread named(String name, Runnable run) {
        Thread thread = new Thread(run, name);
        thread.setDaemon(true);
        return thread;
    }

    public static void main(String[] args) throws IOException {
        for (int i = 0; i < 300_000; i++) {
            BALLAST.add(new byte[64]);
        }
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        named("sip-reader", () -> {
            try {
                serve(socket);
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(1);
            }
        }).start();
        System.out.println(socket.getLocalPort());
        while (System.in.read() >= 0) {
            // until it ends
        }
    }

    static void serve(DatagramSocket socket) throws Exception {
        byte[] octets = new byte[4096];
        while (true) {
            DatagramPacket packet = new DatagramPacket(octets, octets.length);
            socket.receive(packet);
            String request = new String(octets, 0, packet.getLength(), StandardCharsets.UTF_8);
            String[] todo = header(request, "X-Do").split(" ");
            long ms = Long.parseLong(todo[1]);
            switch (todo[0]) {
                case "worker" -> WORKER.execute(() -> {
                    try {
                        Thread.sleep(ms);
                        answer(socket, packet, request, 0);
                    } catch (Exception e) {
                        e.printStackTrace();
                    }
                });
                case "nap" -> {
                    answer(socket, packet, request, 0);
                    named("beside", () -> spin(2 * ms)).start();
                    Thread.sleep(ms);
                }
                case "never" -> {}
                default -> answer(socket, packet, request, perform(todo[0], ms));
            }
        }
    }

    /** @return the processor time that it took, in milliseconds */
    static long perform(String what, long ms) throws Exception {
        long beganNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        switch (what) {
            case "sleep" -> Thread.sleep(ms);
            case "spin" -> spin(ms);
            case "gc" -> {
                for (long end = System.nanoTime() + ms * 1_000_000; System.nanoTime() < end; ) {
                    System.gc();
                }
            }
            case "monitor" -> {
                CountDownLatch held = new CountDownLatch(1);
                named("lock-holder", () -> hold(held, ms)).start();
                held.await();
                synchronized (LOCK) {
                    BALLAST.get(0)[0]++;
                }
            }
            default -> throw new IllegalArgumentException(what);
        }
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beganNs) / 1_000_000;
    }

    static void hold(CountDownLatch held, long ms) {
        synchronized (LOCK) {
            held.countDown();
            try {
                Thread.sleep(ms);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void spin(long ms) {
        for (long end = System.nanoTime() + ms * 1_000_000; System.nanoTime() < end; ) {
            Thread.onSpinWait();
        }
    }

    static void answer(DatagramSocket socket, DatagramPacket packet, String request, long cpuMs) throws IOException {
        StringBuilder answer = new StringBuilder("SIP/2.0 200 OK\r\n");
        for (String name : List.of("Via", "From", "To", "Call-ID", "CSeq")) {
            answer.append(name).append(": ").append(header(request, name)).append("\r\n");
        }
        answer.append("X-Cpu-Ms: ").append(cpuMs).append("\r\nContent-Length: 0\r\n\r\n");
        byte[] octets = answer.toString().getBytes(StandardCharsets.UTF_8);
        socket.send(new DatagramPacket(octets, octets.length, packet.getSocketAddress()));
    }

    static String header(String message, String name) {
        int begin = message.indexOf("\r\n" + name + ": ") + name.length() + 4;
        return message.substring(begin, message.indexOf("\r\n", begin));
    }
}
