package io.offhook.sip.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Edits against changes of a string. */
class MessageEditsTest {
    private record Change(int place, int removed, String text) {}

    private final MessageEdits edits = new MessageEdits();
    private final OctetWriter out = new OctetWriter(65_535);

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private String written() {
        out.clear();
        assertThat(edits.writeTo(out)).isTrue();
        return out.toString();
    }

    @Test
    void agreesWithChangesOfAString() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            String message = "0123456789abcdefghijklmnopqrstuvwxyz".substring(random.nextInt(36));
            int offset = random.nextInt(5);
            byte[] octets = ascii("#".repeat(offset) + message + "#");
            List<Change> changes = new ArrayList<>();
            int at = 0;
            while (at <= message.length()) {
                at += random.nextInt(8);
                int removed = random.nextInt(4);
                if (at + removed > message.length()) {
                    break;
                }
                changes.add(new Change(at, removed, "<" + "x".repeat(random.nextInt(5)) + round + ">"));
                at += Math.max(removed, 1);
            }
            StringBuilder expected = new StringBuilder(message);
            for (Change change : changes.reversed()) {
                expected.replace(change.place(), change.place() + change.removed(), change.text());
            }
            Collections.shuffle(changes, random);
            edits.start(octets, offset, message.length());
            for (Change change : changes) {
                edits.at(offset + change.place(), change.removed()).put(change.text());
            }
            assertThat(written()).as("seed %d", seed).isEqualTo(expected.toString());
        }
    }

    @Test
    void keepsTheOrderOfInsertionsAtOnePlace() {
        edits.start(ascii("ac"), 0, 2);
        edits.at(1, 0).put('1');
        edits.at(2, 0).put('4');
        edits.at(1, 0).put('2');
        edits.at(1, 1).put('3');
        assertThat(written()).isEqualTo("a1234");
        // again with nothing changed
        edits.start(ascii("abc"), 1, 2);
        assertThat(written()).isEqualTo("bc");
    }

    @Test
    void refusesPlacesOutsideOfTheMessage() {
        edits.start(ascii("abcdef"), 1, 3);
        assertThatThrownBy(() -> edits.at(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> edits.at(3, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> edits.at(3, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        edits.at(4, 0).put('!');
        assertThat(written()).isEqualTo("bcd!");
    }

    @Test
    void writesNothingOfTooManyOrTooLongChanges() {
        edits.start(ascii("a"), 0, 1);
        for (int i = 0; i < MessageEdits.LIMIT; i++) {
            edits.at(1, 0).put('b');
        }
        assertThat(written()).hasSize(MessageEdits.LIMIT + 1);
        edits.at(1, 0).put('b');
        assertThat(edits.writeTo(out)).isFalse();

        edits.start(ascii("a"), 0, 1);
        edits.at(0, 0).put(new byte[65_536]);
        out.clear();
        assertThat(edits.writeTo(out)).isFalse();
        edits.start(ascii("a"), 0, 1);
        edits.at(0, 0).put(new byte[65_535]);
        out.clear();
        assertThat(edits.writeTo(out)).isFalse();
        assertThat(out.isOverflown()).isTrue();
    }
}
