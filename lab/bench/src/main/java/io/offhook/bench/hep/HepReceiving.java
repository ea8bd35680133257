package io.offhook.bench.hep;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallWatcher;
import io.offhook.analysis.Pipeline;
import io.offhook.calls.CallReport;
import io.offhook.collector.HepCollector;
import io.offhook.collector.HepCollectorOptions;
import io.offhook.collector.HepListener;
import io.offhook.hep.HepAgent;
import io.offhook.hep.HepPacket;
import io.offhook.hep.HepPayloadType;
import io.offhook.hep.HepWriter;
import io.offhook.live.WallClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Receives HEP over TCP on the loopback interface: packets with SIP of calls of six messages, in the first run only decoded, in
 * the second analysed as calls.
 */
public final class HepReceiving {
    private static final int CALLS = 2000;
    private static final int MESSAGES = 6;
    private static final double NS = 1e9;

    private HepReceiving() {}

    /**
     * Measures.
     *
     * @param arguments the number of packets, in thousands, 2,000 if there is none; and the processor of the sender, which is a
     *     process of its own then, so that {@code taskset} gives another to the rest
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 3) { // the sender: what it says, to where, how often
            send(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1])),
                    packets(),
                    Long.parseLong(arguments[2]));
            return;
        }
        int thousands = arguments.length == 0 ? 2000 : Integer.parseInt(arguments[0]);
        String processor = arguments.length > 1 ? arguments[1] : "";
        long rounds = Math.max(1, 1000L * thousands / (CALLS * MESSAGES));
        PrintStream out = System.out;
        for (boolean isAnalysed : new boolean[] {false, true, false, true}) { // the first two warm up
            out.println(run(processor, rounds, isAnalysed));
        }
    }

    private static String run(String processor, long rounds, boolean isAnalysed) throws Exception {
        long count = rounds * CALLS * MESSAGES;
        HepCollectorOptions options = HepCollectorOptions.of(List.of(HepListener.parse("tcp:127.0.0.1:0")));
        try (HepCollector collector = HepCollector.open(options)) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            AtomicLong receivingNs = new AtomicLong();
            AtomicLong beganNs = new AtomicLong(); // a sender of its own takes a while to start
            Thread sending = Thread.ofPlatform().name("sending").start(() -> {
                send(collector.addresses().getFirst(), processor, rounds);
                while (collector.counts().delivered() < count) {
                    LockSupport.parkNanos(1_000_000);
                }
                receivingNs.set(cpu(threads, "hep-tcp-0")); // it ends with the source
                collector.stop();
            });
            Thread looking = Thread.ofPlatform().name("looking").start(() -> {
                while (collector.counts().delivered() == 0) {
                    LockSupport.parkNanos(1_000_000);
                }
                beganNs.set(System.nanoTime());
            });
            long cpuBeganNs = threads.getCurrentThreadCpuTime();
            long found = isAnalysed ? analyse(collector) : decode(collector);
            long analysedNs = threads.getCurrentThreadCpuTime() - cpuBeganNs;
            double seconds = (System.nanoTime() - beganNs.get()) / NS;
            sending.join();
            looking.join();
            long receivedNs = receivingNs.get();
            return String.format(
                    Locale.ROOT,
                    "%s: %,d of %,d packets in %.2f s, %,.0f a second; processor time a packet: transport %,d ns,"
                            + " %s %,d ns, together %,.0f packets a second and core; lost %,d",
                    isAnalysed ? "calls" : "decoded",
                    found,
                    count,
                    seconds,
                    count / seconds,
                    receivedNs / count,
                    isAnalysed ? "calls" : "decoding",
                    analysedNs / count,
                    count / ((receivedNs + analysedNs) / NS),
                    count - collector.counts().delivered());
        }
    }

    private static long cpu(ThreadMXBean threads, String name) {
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().equals(name)) {
                return threads.getThreadCpuTime(id);
            }
        }
        return 0;
    }

    private static long decode(HepCollector source) {
        long[] messages = {0};
        Pipeline.of(1).rounds(round -> messages[0] += round.messages().size()).watch(source);
        return messages[0];
    }

    private static long analyse(HepCollector source) {
        AnalysisResult result =
                Analysis.watch(source, AnalysisOptions.defaults().withLanes(1), new CallWatcher() {
                    @Override
                    public long nowNs() {
                        return WallClock.kernelNs();
                    }

                    @Override
                    public void look(AnalysisResult standing, List<CallReport> changed) {}
                });
        return result.capture().packets();
    }

    private static void send(InetSocketAddress address, String processor, long rounds) {
        if (processor.isEmpty()) {
            send(address, packets(), rounds);
            return;
        }
        String java = System.getProperty("java.home") + "/bin/java";
        String path = System.getProperty("java.class.path");
        String port = Integer.toString(address.getPort());
        try {
            int code = new ProcessBuilder(
                            "taskset",
                            "-c",
                            processor,
                            java,
                            "-cp",
                            path,
                            HepReceiving.class.getName(),
                            "send",
                            port,
                            Long.toString(rounds))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("the sender ended with " + code);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(InetSocketAddress address, byte[] packets, long rounds) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            OutputStream out = socket.getOutputStream();
            for (long i = 0; i < rounds; i++) {
                out.write(packets);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The packets of all calls, one behind the other. */
    private static byte[] packets() {
        HepWriter writer = new HepWriter(new HepAgent(2001, "", "bench"));
        byte[] all = new byte[CALLS * MESSAGES * 1024];
        int at = 0;
        for (int message = 0; message < MESSAGES; message++) {
            for (int call = 0; call < CALLS; call++) {
                byte[] text = message(call, message).getBytes(StandardCharsets.US_ASCII);
                boolean isFromCaller = message == 0 || message == 3 || message == 4;
                HepPacket packet = new HepPacket()
                        .source(0, 0xffff_0a00_0001L, isFromCaller ? 5060 : 5080)
                        .destination(0, 0xffff_0a00_0001L, isFromCaller ? 5080 : 5060)
                        .protocol(17)
                        .timestampNs(1_800_000_000_000_000_000L + (long) message * 1_000_000_000L + call * 1000L)
                        .payload(HepPayloadType.SIP, text, 0, text.length);
                at += writer.write(packet, all, at);
            }
        }
        return Arrays.copyOf(all, at);
    }

    private static String message(int call, int message) {
        String line = switch (message) {
            case 0 -> "INVITE sip:bob@10.0.0.1:5080 SIP/2.0";
            case 1 -> "SIP/2.0 180 Ringing";
            case 2 -> "SIP/2.0 200 OK";
            case 3 -> "ACK sip:bob@10.0.0.1:5080 SIP/2.0";
            case 4 -> "BYE sip:bob@10.0.0.1:5080 SIP/2.0";
            default -> "SIP/2.0 200 OK";
        };
        String method = message == 3 ? "ACK" : message > 3 ? "BYE" : "INVITE";
        String branch = message == 3 ? "a" : message > 3 ? "b" : "i";
        return line + "\r\nVia: SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bK" + branch + call
                + "\r\nMax-Forwards: 70\r\nFrom: \"Alice\" <sip:alice@example.com>;tag=f" + call
                + "\r\nTo: <sip:bob@example.com>" + (message == 0 ? "" : ";tag=t" + call) + "\r\nCall-ID: " + call
                + "@bench.example.com\r\nCSeq: " + (message > 3 ? 2 : 1) + " " + method
                + "\r\nContact: <sip:alice@10.0.0.1:5060>\r\nUser-Agent: bench\r\nContent-Length: 0\r\n\r\n";
    }
}
