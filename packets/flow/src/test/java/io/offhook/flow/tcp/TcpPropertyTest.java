package io.offhook.flow.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Random streams, cut, shuffled, repeated, overlapped, lost: what is told is what was sent, but for the holes told. */
class TcpPropertyTest {
    private static final TcpLimits PATIENT =
            new TcpLimits(64, 1 << 20, 8 << 20, 100_000, 4, Long.MAX_VALUE, Long.MAX_VALUE);

    /** A segment to send: which bytes of the stream, and what they are. */
    private record Piece(int start, String text) {}

    @RepeatedTest(200)
    void reportsWhatWasSentAndTheHolesOfWhatWasLost(RepetitionInfo repetition) {
        long seed = 1000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        String sent = randomText(random, 1 + random.nextInt(30_000));
        BitSet lost = new BitSet();
        List<Piece> pieces = shuffle(random, cut(random, sent, random.nextInt(4) == 0 ? 0.2 : 0, lost));
        int first = random.nextBoolean() ? -random.nextInt(sent.length() + 1) : random.nextInt();
        try (TcpWire wire = new TcpWire(PATIENT)) {
            wire.client.send(first - 1, TcpWire.SYN, 0, "");
            for (Piece piece : pieces) {
                wire.client.send(first + piece.start, TcpWire.ACK, 0, piece.text);
            }
            wire.client.send(first + sent.length(), TcpWire.FIN | TcpWire.ACK, 0, "");
            wire.streams.flush();
            assertThat(wire.text("c"))
                    .as("seed %d", seed)
                    .isEqualTo(withHoles(sent, lost) + (wasSeen(sent, lost) ? "!FIN" : ""));
            assertThat(wire.count(TcpCounter.GAPS_FORCED)).isZero();
        }
    }

    @RepeatedTest(100)
    void keepsForEachPositionTheByteThatCameFirst(RepetitionInfo repetition) {
        long seed = 2000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        int length = 1 + random.nextInt(10_000);
        List<Piece> pieces = new ArrayList<>();
        char[] first = new char[length];
        // every piece has bytes of its own, and the last ones see to it that nothing is missing
        while (pieces.size() < 30) {
            int start = random.nextInt(length);
            int size = 1 + random.nextInt(Math.min(length - start, 3000));
            pieces.add(new Piece(start, randomText(random, size)));
        }
        pieces.add(new Piece(0, randomText(random, length)));
        for (Piece piece : pieces) {
            for (int i = 0; i < piece.text.length(); i++) {
                if (first[piece.start + i] == 0) {
                    first[piece.start + i] = piece.text.charAt(i);
                }
            }
        }
        try (TcpWire wire = new TcpWire(PATIENT)) {
            wire.client.send(-5001, TcpWire.SYN, 0, "");
            for (Piece piece : pieces) {
                wire.client.send(-5000 + piece.start, TcpWire.ACK, 0, piece.text);
            }
            assertThat(wire.text("c")).as("seed %d", seed).isEqualTo(new String(first));
        }
    }

    @RepeatedTest(100)
    void staysWithinItsLimitsAndReportsNoByteTwice(RepetitionInfo repetition) {
        long seed = 3000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        String sent = randomText(random, 50_000);
        List<Piece> pieces = shuffle(random, cut(random, sent, 0.1, new BitSet()));
        TcpLimits tight = new TcpLimits(
                2, 1 << 16, 1 << 17, 1 + random.nextInt(20), 1 + random.nextInt(4), 20 * TcpWire.MS, 1L << 40);
        try (TcpWire wire = new TcpWire(tight)) {
            boolean midStream = random.nextBoolean();
            wire.pickup = text -> random.nextInt(3) == 0 ? Pickup.WAIT : Pickup.NOW;
            if (!midStream) {
                wire.client.send(-25_001, TcpWire.SYN, 0, "");
            }
            for (Piece piece : pieces) {
                wire.client.send(-25_000 + piece.start, TcpWire.ACK, 0, piece.text);
            }
            wire.streams.flush();
            assertThat(wire.streams.reservedBytes()).isLessThanOrEqualTo(1 << 17);
            assertTold(wire, sent, midStream, "seed " + seed);
        }
    }

    @RepeatedTest(50)
    void reportsEachStreamAloneWhatItTellsAmongOthers(RepetitionInfo repetition) {
        long seed = 4000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        int connections = 4;
        List<List<Piece>> perConnection = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            perConnection.add(shuffle(random, cut(random, randomText(random, 5000), 0.1, new BitSet())));
        }
        // who sends when, in one capture
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            order.addAll(Collections.nCopies(perConnection.get(i).size(), i));
        }
        Collections.shuffle(order, random);
        TcpLimits limits = new TcpLimits(64, 1 << 16, 1 << 20, 50, 3, 30 * TcpWire.MS, 200 * TcpWire.MS);
        List<String> together = replay(limits, perConnection, order, -1);
        List<String> apart = Stream.iterate(0, i -> i + 1)
                .limit(connections)
                .flatMap(i -> replay(limits, perConnection, order, i).stream())
                .toList();
        assertThat(sortedByStream(together)).as("seed %d", seed).isEqualTo(sortedByStream(apart));
    }

    private static List<String> replay(
            TcpLimits limits, List<List<Piece>> perConnection, List<Integer> order, int only) {
        try (TcpWire wire = new TcpWire(limits)) {
            wire.pickup = text -> text.charAt(0) < 'h' ? Pickup.NOW : Pickup.WAIT;
            int[] next = new int[perConnection.size()];
            int sent = 0;
            for (int connection : order) {
                Piece piece = perConnection.get(connection).get(next[connection]++);
                if (only < 0 || only == connection) {
                    wire.sender(1 + connection).send(piece.start, TcpWire.ACK, 0, piece.text);
                } else {
                    wire.nowNs += TcpWire.MS;
                }
                // now and then the capture goes back by less than the hold time
                sent++;
                wire.nowNs += sent % 7 == 0 ? -20 * TcpWire.MS : sent % 7 == 1 ? 21 * TcpWire.MS : 0;
            }
            wire.streams.flush();
            return wire.reported();
        }
    }

    private static List<String> sortedByStream(List<String> reported) {
        return reported.stream()
                .sorted((a, b) -> a.substring(0, a.indexOf(' ')).compareTo(b.substring(0, b.indexOf(' '))))
                .toList();
    }

    /** What was told lies in what was sent, in order: a stream that was not captured from the start begins anywhere. */
    private static void assertTold(TcpWire wire, String sent, boolean midStream, String seed) {
        List<TcpWire.Told> reported = wire.reported;
        int position = 0;
        StringBuilder text = new StringBuilder();
        List<Integer> holes = new ArrayList<>();
        for (TcpWire.Told one : reported) {
            if (one.kind().equals("data")) {
                text.append(one.text());
            } else if (one.kind().equals("gap")) {
                holes.add(text.length());
                text.append("?".repeat(Integer.parseInt(one.text())));
            }
        }
        if (midStream && text.length() > 0) {
            position = find(sent, text);
            assertThat(position).as(seed).isNotNegative();
        }
        assertThat(position + text.length()).as(seed).isLessThanOrEqualTo(sent.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '?' && text.charAt(i) != sent.charAt(position + i)) {
                assertThat(text.substring(i)).as(seed + " at " + i).isEqualTo(sent.substring(position + i));
            }
        }
        assertThat(holes).as(seed).doesNotHaveDuplicates();
    }

    private static int find(String sent, StringBuilder text) {
        for (int start = 0; start + text.length() <= sent.length(); start++) {
            int i = 0;
            while (i < text.length() && (text.charAt(i) == '?' || text.charAt(i) == sent.charAt(start + i))) {
                i++;
            }
            if (i == text.length()) {
                return start;
            }
        }
        return -1;
    }

    private static boolean wasSeen(String sent, BitSet lost) {
        return lost.cardinality() < sent.length();
    }

    private static String withHoles(String sent, BitSet lost) {
        if (!wasSeen(sent, lost)) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sent.length(); ) {
            int to = lost.get(i) ? lost.nextClearBit(i) : lost.nextSetBit(i);
            to = to < 0 ? sent.length() : Math.min(to, sent.length());
            text.append(lost.get(i) ? "[" + (to - i) + "]" : sent.substring(i, to));
            i = to;
        }
        return text.toString();
    }

    /** Segments that cover the stream but for what is lost, some of them twice, some reaching into their neighbours. */
    private static List<Piece> cut(Random random, String sent, double loss, BitSet lost) {
        List<Piece> pieces = new ArrayList<>();
        BitSet captured = new BitSet();
        int largest = random.nextBoolean() ? 60 : 4000;
        for (int start = 0; start < sent.length(); ) {
            int end = Math.min(sent.length(), start + 1 + random.nextInt(largest));
            if (random.nextDouble() >= loss) {
                int from = random.nextInt(8) == 0 ? Math.max(0, start - random.nextInt(100)) : start;
                int to = random.nextInt(8) == 0 ? Math.min(sent.length(), end + random.nextInt(100)) : end;
                for (int copies = random.nextInt(8) == 0 ? 2 : 1; copies > 0; copies--) {
                    pieces.add(new Piece(from, sent.substring(from, to)));
                }
                captured.set(from, to);
            }
            start = end;
        }
        lost.set(0, sent.length());
        lost.andNot(captured);
        return pieces;
    }

    /** Out of order within a window of a few segments. */
    private static List<Piece> shuffle(Random random, List<Piece> pieces) {
        Piece[] shuffled = pieces.toArray(new Piece[0]);
        int window = 1 + random.nextInt(12);
        for (int i = 0; i < shuffled.length; i++) {
            int j = Math.min(shuffled.length - 1, i + random.nextInt(window));
            Piece swapped = shuffled[i];
            shuffled[i] = shuffled[j];
            shuffled[j] = swapped;
        }
        return Arrays.asList(shuffled);
    }

    private static String randomText(Random random, int length) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = (char) ('a' + random.nextInt(26));
        }
        return new String(text);
    }
}
