package io.offhook.decrypt;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.rtp.PayloadOpener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Packets that libsrtp 2.5.0 protected, in libsrtp.txt: kind, suite, rollover counter, bytes of MKI (its value is 9), master
 * key and salt, packet, protected packet. Those with a counter have a contributing source and a header extension, and
 * sequence numbers that roll over. AES-192 is left out: libsrtp derived its keys otherwise than RFC 6188 (its issue 763).
 */
class SrtpOpenerTest {
    private static final HexFormat HEX = HexFormat.of();

    private final Arena arena = Arena.ofConfined();
    private final SecretMemory memory = new SecretMemory();
    private final MemorySegment opened = arena.allocate(1 << 16);

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Line(
            boolean isRtp, SrtpSuite suite, long rollovers, int mkiLength, byte[] key, String packet, byte[] sealed) {
        static Line of(String line) {
            String[] word = line.split(" ", -1);
            return new Line(
                    word[0].equals("rtp"),
                    Objects.requireNonNull(SrtpSuite.named(word[1])),
                    Long.parseLong(word[2]),
                    Integer.parseInt(word[3]),
                    HEX.parseHex(word[4]),
                    word[5],
                    HEX.parseHex(word[6]));
        }
    }

    @AfterEach
    void close() {
        memory.close();
        arena.close();
    }

    @Test
    void opensWhatLibsrtpProtected() {
        int count = 0;
        for (Line line : lines()) {
            try (SrtpOpener opener = opener(line)) {
                assertThat(open(opener, line)).describedAs("%s", line).isEqualTo(line.packet());
            }
            count++;
        }
        assertThat(count).isEqualTo(90);
    }

    @Test
    void followsSequenceNumbersThatRollOver() {
        for (SrtpSuite suite : SrtpSuite.values()) {
            List<Line> rolling = lines().stream()
                    .filter(line -> line.isRtp() && line.suite() == suite && line.rollovers() > 0)
                    .toList();
            if (rolling.isEmpty()) {
                continue;
            }
            try (SrtpOpener opener = opener(rolling.getFirst())) {
                for (Line line : rolling) {
                    assertThat(open(opener, line)).isEqualTo(line.packet());
                }
                // one that comes late, of before the sequence numbers rolled over
                assertThat(open(opener, rolling.getFirst()))
                        .isEqualTo(rolling.getFirst().packet());
                assertThat(opener.opened()).isEqualTo(rolling.size() + 1);
            }
        }
    }

    @Test
    void changesTheKeyWhereAnotherFits() {
        List<Line> two = lines().stream()
                .filter(line ->
                        line.isRtp() && line.suite() == SrtpSuite.AES_CM_128_HMAC_SHA1_80 && line.mkiLength() == 0)
                .toList();
        Line first = two.getFirst();
        Line second = two.getLast();
        assertThat(first.key()).isNotEqualTo(second.key());
        try (SrtpOpener opener = new SrtpOpener(List.of(key(first), key(second)))) {
            for (Line line : List.of(first, second, second, first)) {
                assertThat(open(opener, line)).isEqualTo(line.packet());
            }
        }
    }

    @Test
    void opensNothingWithAWrongKeyOrDamage() {
        for (Line line : lines()) {
            byte[] wrong = line.key().clone();
            wrong[3] ^= 1;
            Line with = new Line(line.isRtp(), line.suite(), 0, line.mkiLength(), wrong, line.packet(), line.sealed());
            try (SrtpOpener opener = opener(with)) {
                for (int i = 0; i < 3; i++) {
                    assertThat(open(opener, with)).isNull();
                }
                assertThat(opener.isKeyWrong()).isEqualTo(line.isRtp());
            }
            for (int at = 0; at < line.sealed().length; at += 7) {
                byte[] damaged = line.sealed().clone();
                damaged[at] ^= 0x40;
                Line other =
                        new Line(line.isRtp(), line.suite(), 0, line.mkiLength(), line.key(), line.packet(), damaged);
                try (SrtpOpener opener = opener(other)) {
                    // once, as a full search is made for each new opener
                    assertThat(open(opener, other)).isNull();
                }
            }
        }
    }

    @Test
    void opensNothingOfRandomOrShortPackets() {
        Random random = new Random(18);
        for (SrtpSuite suite : SrtpSuite.values()) {
            byte[] key = new byte[suite.keyLength() + suite.saltLength()];
            random.nextBytes(key);
            try (SrtpOpener opener = new SrtpOpener(List.of(SrtpKey.of(suite, memory.take(key))))) {
                for (int i = 0; i < 3000; i++) {
                    byte[] bytes = new byte[random.nextInt(80)];
                    random.nextBytes(bytes);
                    if (bytes.length > 0 && i % 2 == 0) {
                        bytes[0] = (byte) (0x80 | random.nextInt(64));
                    }
                    MemorySegment packet = arena.allocate(Math.max(1, bytes.length));
                    packet.copyFrom(MemorySegment.ofArray(bytes));
                    assertThat(opener.open(packet, 0, bytes.length, opened)).isEqualTo(PayloadOpener.CLOSED);
                    assertThat(opener.openRtcp(packet, 0, bytes.length, opened)).isEqualTo(PayloadOpener.CLOSED);
                }
            }
        }
    }

    @Test
    void opensNothingOnceClosed() {
        Line line = lines().getFirst();
        SrtpOpener opener = opener(line);
        assertThat(open(opener, line)).isEqualTo(line.packet());
        opener.close();
        assertThat(open(opener, line)).isNull();
    }

    private List<Line> lines() {
        return new String(PcapBytes.resource("libsrtp.txt"), StandardCharsets.US_ASCII)
                .lines()
                .map(Line::of)
                .toList();
    }

    private @Nullable String open(SrtpOpener opener, Line line) {
        MemorySegment packet = arena.allocate(line.sealed().length);
        packet.copyFrom(MemorySegment.ofArray(line.sealed()));
        int length = line.isRtp()
                ? opener.open(packet, 0, line.sealed().length, opened)
                : opener.openRtcp(packet, 0, line.sealed().length, opened);
        return length == PayloadOpener.CLOSED
                ? null
                : HEX.formatHex(opened.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    }

    private SrtpOpener opener(Line line) {
        return new SrtpOpener(List.of(key(line)));
    }

    /** By the text that a=crypto has. */
    private SrtpKey key(Line line) {
        String text = line.suite() + " inline:" + Base64.getEncoder().encodeToString(line.key())
                + (line.mkiLength() > 0 ? "|2^20|9:" + line.mkiLength() : "");
        MemorySegment segment = arena.allocateFrom(text, StandardCharsets.US_ASCII);
        return SrtpKeyText.keys(new KeyText(segment, 0, text.length()), memory).getFirst();
    }
}
