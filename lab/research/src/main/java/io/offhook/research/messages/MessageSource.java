package io.offhook.research.messages;

import java.util.Random;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Messages to hand over, in a cycle, the same in every process. They resemble call records: a text of 16 to 40 characters,
 * 2 to 6 names of 6 to 20 characters, 4 to 12 numbers of up to 20 bits; one string in sixteen has a letter outside of ASCII.
 */
@State(Scope.Thread)
public class MessageSource {
    /** Their number: a power of two, too many for the compiler to exploit, few enough for a cache. */
    static final int COUNT = 1024;

    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.-@:";
    private static final String OTHER_LETTERS = "äéß€電話";

    private final Random random = new Random(25);
    private final Message[] messages = new Message[COUNT];
    private int next;

    /** Created by JMH. */
    public MessageSource() {
        for (int i = 0; i < COUNT; i++) {
            messages[i] = message();
        }
    }

    private Message message() {
        String[] names = new String[random.nextInt(2, 7)];
        for (int i = 0; i < names.length; i++) {
            names[i] = string(random.nextInt(6, 21));
        }
        int[] numbers = new int[random.nextInt(4, 13)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.nextInt(1 << random.nextInt(21));
        }
        return new Message(
                string(random.nextInt(16, 41)),
                random.nextInt(1 << 20),
                random.nextDouble(),
                random.nextBoolean(),
                names,
                numbers);
    }

    private String string(int length) {
        StringBuilder string = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            string.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        if (random.nextInt(16) == 0) {
            string.setCharAt(random.nextInt(length), OTHER_LETTERS.charAt(random.nextInt(OTHER_LETTERS.length())));
        }
        return string.toString();
    }

    /** The index of the next one, below {@link #COUNT}. */
    int nextIndex() {
        return next++ & COUNT - 1;
    }

    Message get(int index) {
        return messages[index];
    }

    Message next() {
        return messages[nextIndex()];
    }

    /**
     * Compares the hash of a technique with {@link MessageHash}, for all messages.
     *
     * @throws IllegalStateException where native code saw something else
     */
    void check(String way, ToLongFunction<Message> handOver) {
        for (int i = 0; i < COUNT; i++) {
            long expected = MessageHash.of(messages[i]);
            long actual = handOver.applyAsLong(messages[i]);
            if (actual != expected) {
                throw new IllegalStateException(
                        way + ": native code made " + actual + " of message " + i + " instead of " + expected);
            }
        }
    }
}
