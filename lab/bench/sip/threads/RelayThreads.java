import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A small stateful SIP relay over UDP, whose only difference from run to run is who handles a message: the thread that read
 * it (loops, a socket each), a new platform thread for each, or a new virtual thread for each. It is written as a program in
 * Java usually is, with strings, so that it also shows what logging and collectors cost such a program.
 *
 * <p>It answers INVITE with 100, absorbs repeated requests and answers them again, sends requests again until they are
 * answered (each 500 ms, without the doubling of RFC 3261), records its route, and forgets a transaction after 32 s. It does
 * not fork, cancel or resolve names.
 *
 * <pre>java RelayThreads loops|threads|virtual PORT LOOPS off|guarded|unguarded|written RECEIVE_BUFFER_BYTES LOG_FILE</pre>
 */
public final class RelayThreads {
    private static final long REPEAT_NS = 500_000_000L;
    private static final long FORGET_NS = 32_000_000_000L;

    private enum Log {
        /** No log statement is there. */
        OFF,
        /** The level is asked first, and is off. */
        GUARDED,
        /** The message is built, and then the level is off. */
        UNGUARDED,
        /** The message is built and written to a file before the message is relayed. */
        WRITTEN
    }

    private final int port;
    private final Log log;
    private final PrintWriter written;
    private final Map<String, Exchange> byPeer = new ConcurrentHashMap<>();
    private final Map<String, Exchange> byOurs = new ConcurrentHashMap<>();
    private final Queue<Exchange> repeats = new ConcurrentLinkedQueue<>();
    private final Queue<Exchange> ends = new ConcurrentLinkedQueue<>();
    private final AtomicLong branches = new AtomicLong();
    private volatile boolean debug;

    /** A request, from whom it came, and the last response to it. */
    private static final class Exchange {
        final String theirs;
        final String ours;
        final InetSocketAddress caller;
        final DatagramChannel channel;
        final long forgetNs = System.nanoTime() + FORGET_NS;
        InetSocketAddress callee;
        byte[] request;
        long repeatNs;
        volatile byte[] response;
        volatile boolean isAnswered;

        Exchange(String theirs, String ours, InetSocketAddress caller, DatagramChannel channel) {
            this.theirs = theirs;
            this.ours = ours;
            this.caller = caller;
            this.channel = channel;
        }
    }

    private RelayThreads(int port, Log log, Path file) throws IOException {
        this.port = port;
        this.log = log;
        written = new PrintWriter(Files.newBufferedWriter(file), true);
    }

    public static void main(String[] args) throws Exception {
        Log log = Log.valueOf(args[3].toUpperCase(Locale.ROOT));
        RelayThreads relay = new RelayThreads(Integer.parseInt(args[1]), log, Path.of(args[5]));
        ThreadFactory each =
                switch (args[0]) {
                    case "loops" -> null;
                    case "threads" -> Thread.ofPlatform().factory();
                    case "virtual" -> Thread.ofVirtual().factory();
                    default -> throw new IllegalArgumentException("threads are loops, threads or virtual, not " + args[0]);
                };
        int loops = each == null ? Integer.parseInt(args[2]) : 1;
        for (int i = 0; i < loops; i++) {
            DatagramChannel channel = DatagramChannel.open();
            channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, Integer.parseInt(args[4]));
            channel.bind(new InetSocketAddress("127.0.0.1", relay.port));
            Thread.ofPlatform().start(() -> relay.read(channel, each));
        }
        relay.watchTimers();
    }

    private void read(DatagramChannel channel, ThreadFactory each) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(65_535);
        while (true) {
            try {
                buffer.clear();
                InetSocketAddress source = (InetSocketAddress) channel.receive(buffer);
                byte[] bytes = new byte[buffer.flip().remaining()];
                buffer.get(bytes);
                if (each == null) {
                    handle(channel, source, bytes);
                } else {
                    each.newThread(() -> handle(channel, source, bytes)).start();
                }
            } catch (IOException e) {
                System.err.println("receive: " + e);
            }
        }
    }

    private void handle(DatagramChannel channel, InetSocketAddress source, byte[] bytes) {
        try {
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            note("received from", source, text);
            if (text.startsWith("SIP/2.0 ")) {
                response(text);
            } else if (text.length() > 4) {
                request(channel, source, text);
            }
        } catch (Exception e) {
            System.err.println("message: " + e);
        }
    }

    private void note(String what, InetSocketAddress peer, String text) {
        if (log == Log.OFF || log == Log.GUARDED && !debug) {
            return;
        }
        String line = String.format(
                "%tF %<tT.%<tL DEBUG [%s] %s %s: %s%n",
                System.currentTimeMillis(), Thread.currentThread(), what, peer, text.replace("\r\n", " | "));
        if (log == Log.WRITTEN || debug) {
            written.println(line);
        }
    }

    private void request(DatagramChannel channel, InetSocketAddress source, String text) throws IOException {
        String method = text.substring(0, text.indexOf(' '));
        String ours = "z9hG4bK-" + Long.toHexString(branches.incrementAndGet());
        if (method.equals("ACK")) {
            String sent = onward(text, method, ours);
            send(channel, sent.getBytes(StandardCharsets.ISO_8859_1), target(sent));
            return;
        }
        String theirs = method + branch(text) + source;
        Exchange exchange = new Exchange(theirs, ours, source, channel);
        Exchange known = byPeer.putIfAbsent(theirs, exchange);
        if (known != null) {
            byte[] last = known.response;
            if (last != null) {
                send(channel, last, source);
            }
            return;
        }
        String sent = onward(text, method, ours);
        exchange.request = sent.getBytes(StandardCharsets.ISO_8859_1);
        exchange.callee = target(sent);
        exchange.repeatNs = System.nanoTime() + REPEAT_NS;
        byOurs.put(ours, exchange);
        ends.add(exchange);
        if (method.equals("INVITE")) {
            exchange.response = trying(text).getBytes(StandardCharsets.ISO_8859_1);
            send(channel, exchange.response, source);
        }
        send(channel, exchange.request, exchange.callee);
        repeats.add(exchange);
    }

    private void response(String text) throws IOException {
        Exchange exchange = byOurs.get(branch(text));
        int status = Integer.parseInt(text.substring(8, 11));
        if (exchange == null || status == 100) {
            return;
        }
        int via = text.indexOf("\r\nVia:");
        byte[] sent = (text.substring(0, via) + text.substring(text.indexOf("\r\n", via + 2))).getBytes(StandardCharsets.ISO_8859_1);
        exchange.response = sent;
        exchange.isAnswered = true; // after a provisional response too: it has arrived
        send(exchange.channel, sent, exchange.caller);
    }

    /** The request as it goes on: Max-Forwards, our Route away, our Via and Record-Route in. */
    private String onward(String text, String method, String branch) {
        StringBuilder out = new StringBuilder(text.length() + 200);
        String[] lines = text.split("\r\n", -1);
        out.append(lines[0]).append("\r\nVia: SIP/2.0/UDP 127.0.0.1:").append(port).append(";branch=").append(branch);
        out.append("\r\n");
        if (method.equals("INVITE")) {
            out.append("Record-Route: <sip:127.0.0.1:").append(port).append(";lr>\r\n");
        }
        boolean isHeader = true;
        for (int i = 1; i < lines.length; i++) {
            String line = lines[i];
            isHeader &= !line.isEmpty();
            if (isHeader && line.startsWith("Max-Forwards:")) {
                line = "Max-Forwards: " + (Integer.parseInt(line.substring(13).trim()) - 1);
            } else if (isHeader && line.startsWith("Route:") && line.contains("127.0.0.1:" + port)) {
                continue;
            }
            out.append(line).append(i == lines.length - 1 ? "" : "\r\n");
        }
        return out.toString();
    }

    /** Where a request goes: its first Route, else its request URI; addresses with ports only. */
    private static InetSocketAddress target(String text) {
        int from = text.indexOf("\r\nRoute:");
        int at = text.indexOf("sip:", Math.max(from, 0)) + 4;
        int end = at;
        while ("> ;\r".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String place = text.substring(text.substring(at, end).indexOf('@') + 1 + at, end);
        int colon = place.indexOf(':');
        return new InetSocketAddress(place.substring(0, colon), Integer.parseInt(place.substring(colon + 1)));
    }

    private static String branch(String text) {
        int at = text.indexOf("branch=", text.indexOf("\r\nVia:")) + 7;
        int end = at;
        while (";,\r ".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(at, end);
    }

    private static String trying(String text) {
        StringBuilder out = new StringBuilder("SIP/2.0 100 Trying\r\n");
        for (String line : text.substring(0, text.indexOf("\r\n\r\n")).split("\r\n")) {
            if (line.matches("(Via|From|To|Call-ID|CSeq):.*")) {
                out.append(line).append("\r\n");
            }
        }
        return out.append("Content-Length: 0\r\n\r\n").toString();
    }

    private void send(DatagramChannel channel, byte[] bytes, InetSocketAddress to) throws IOException {
        if (log != Log.OFF) {
            note("sent to", to, new String(bytes, StandardCharsets.ISO_8859_1));
        }
        channel.send(ByteBuffer.wrap(bytes), to);
    }

    private void watchTimers() throws InterruptedException {
        while (true) {
            Thread.sleep(50);
            long now = System.nanoTime();
            for (Exchange e; (e = repeats.peek()) != null && e.repeatNs - now <= 0; ) {
                repeats.remove();
                if (!e.isAnswered && e.forgetNs - now > 0) {
                    try {
                        send(e.channel, e.request, e.callee);
                    } catch (IOException failed) {
                        System.err.println("send: " + failed);
                    }
                    e.repeatNs = now + REPEAT_NS;
                    repeats.add(e);
                }
            }
            for (Exchange e; (e = ends.peek()) != null && e.forgetNs - now <= 0; ) {
                ends.remove();
                byPeer.remove(e.theirs);
                byOurs.remove(e.ours);
            }
        }
    }
}
