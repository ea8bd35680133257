package io.offhook.research.threads;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ArrayBlockingQueue;

/** A channel from one thread to another, for small numbers, 1 to 127. */
interface Hop {
    /** The capacity of channels that hold more than one number. */
    int CAPACITY = 1024;

    /** Sends a number; waits while there is no room. */
    void send(int value) throws InterruptedException;

    /** Receives a number; waits until there is one. */
    int receive() throws InterruptedException;

    /** The techniques. */
    enum Way {
        WORD("spinning on a word"),
        WORD_YIELDING("spinning on a word, then yielding"),
        RING("spinning on a ring"),
        ARRAY_QUEUE_SPINNING("ArrayBlockingQueue, polled"),
        ARRAY_QUEUE("ArrayBlockingQueue, blocking");

        final String words;

        Way(String words) {
            this.words = words;
        }

        Hop make() {
            return switch (this) {
                case WORD -> new Word(Integer.MAX_VALUE);
                case WORD_YIELDING -> new Word(100);
                case RING -> new Ring();
                case ARRAY_QUEUE_SPINNING -> new PolledQueue();
                case ARRAY_QUEUE -> new BlockingQueue();
            };
        }
    }

    /** One word, 0 if empty, with 128 unused bytes on both sides. */
    final class Word implements Hop {
        private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);
        private static final int MIDDLE = 32;

        private final int[] cells = new int[65];
        private final int spins;

        Word(int spins) {
            this.spins = spins;
        }

        @Override
        public void send(int value) {
            for (int idle = 0; (int) CELL.getAcquire(cells, MIDDLE) != 0; idle++) {
                pause(idle);
            }
            CELL.setRelease(cells, MIDDLE, value);
        }

        @Override
        public int receive() {
            int value = (int) CELL.getAcquire(cells, MIDDLE);
            for (int idle = 0; value == 0; idle++) {
                pause(idle);
                value = (int) CELL.getAcquire(cells, MIDDLE);
            }
            CELL.setRelease(cells, MIDDLE, 0);
            return value;
        }

        @SuppressWarnings("ThreadPriorityCheck") // giving way is what is measured
        private void pause(int idle) {
            if (idle < spins) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    /** A ring with a cursor per side, each with 128 bytes around it; a side reads the other cursor only if it must. */
    final class Ring implements Hop {
        private static final VarHandle CURSOR = MethodHandles.arrayElementVarHandle(long[].class);
        private static final int SENT = 16;
        private static final int SENDER_KNOWS = 17;
        private static final int RECEIVED = 48;
        private static final int RECEIVER_KNOWS = 49;

        private final int[] values = new int[CAPACITY];
        private final long[] cursors = new long[80];

        @Override
        public void send(int value) {
            long next = cursors[SENT];
            while (next - cursors[SENDER_KNOWS] >= CAPACITY) {
                Thread.onSpinWait();
                cursors[SENDER_KNOWS] = (long) CURSOR.getAcquire(cursors, RECEIVED);
            }
            values[(int) next & CAPACITY - 1] = value;
            CURSOR.setRelease(cursors, SENT, next + 1);
        }

        @Override
        public int receive() {
            long next = cursors[RECEIVED];
            while (next >= cursors[RECEIVER_KNOWS]) {
                Thread.onSpinWait();
                cursors[RECEIVER_KNOWS] = (long) CURSOR.getAcquire(cursors, SENT);
            }
            int value = values[(int) next & CAPACITY - 1];
            CURSOR.setRelease(cursors, RECEIVED, next + 1);
            return value;
        }
    }

    /** Polled continuously. */
    final class PolledQueue implements Hop {
        private final ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(CAPACITY);

        @Override
        public void send(int value) {
            // the JVM caches boxed numbers up to 127
            while (!queue.offer(value)) {
                Thread.onSpinWait();
            }
        }

        @Override
        public int receive() {
            Integer value = queue.poll();
            while (value == null) {
                Thread.onSpinWait();
                value = queue.poll();
            }
            return value;
        }
    }

    /** Waiting threads are parked. */
    final class BlockingQueue implements Hop {
        private final ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(CAPACITY);

        @Override
        public void send(int value) throws InterruptedException {
            queue.put(value);
        }

        @Override
        public int receive() throws InterruptedException {
            return queue.take();
        }
    }
}
