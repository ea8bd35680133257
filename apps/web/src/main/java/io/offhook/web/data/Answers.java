package io.offhook.web.data;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The answers of the last second, by what was asked: pages that look at the same calls cost as much as one. An answer is used
 * again while the calls are those that it was made from. Whoever asks what is being answered waits for that answer.
 *
 * <p>Thread-safe. Bounded in number and bytes; the ones that were made first go first.
 */
final class Answers {
    static final int MOST = 64;

    /** Of all answers together. */
    static final long MOST_BYTES = 16 << 20;

    /** The calls may be the same, and "now" another. */
    private static final long KEPT_NS = 1_000_000_000L;

    private final LongSupplier clockNs;
    private final Map<String, Answer> made = new LinkedHashMap<>();
    private long bytes;

    /** @param clockNs a clock that never goes back, in nanoseconds */
    Answers(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** Makes an answer. */
    @FunctionalInterface
    interface Maker {
        byte[] make() throws SQLException;
    }

    private static final class Answer {
        final CompletableFuture<byte[]> content = new CompletableFuture<>();
        final long revision;
        final long madeNs;
        int length;

        Answer(long revision, long madeNs) {
            this.revision = revision;
            this.madeNs = madeNs;
        }
    }

    /**
     * The answer to a question; made unless there is one.
     *
     * @param revision of the calls, before it is made
     * @return not to be changed
     */
    byte[] of(String question, long revision, Maker maker) throws SQLException {
        return of(question, revision, 0, maker);
    }

    /**
     * As {@link #of(String, long, Maker)}, where an answer may also be used again for a while though the calls have changed.
     *
     * @param staleNs for how long, in nanoseconds
     */
    byte[] of(String question, long revision, long staleNs, Maker maker) throws SQLException {
        Answer mine = new Answer(revision, clockNs.getAsLong());
        Answer other = claim(question, mine, staleNs);
        if (other != null) {
            return await(other);
        }
        boolean isMade = false;
        try {
            byte[] content = maker.make();
            mine.content.complete(content);
            keep(question, mine, content.length);
            isMade = true;
            return content;
        } catch (SQLException | RuntimeException e) {
            mine.content.completeExceptionally(e);
            throw e;
        } finally {
            if (!isMade) {
                mine.content.cancel(false); // by an error; whoever waits must not wait for ever
                forget(question, mine);
            }
        }
    }

    private static byte[] await(Answer answer) throws SQLException {
        try {
            return answer.content.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof SQLException failed) {
                throw failed;
            }
            throw e.getCause() instanceof RuntimeException failed ? failed : e;
        }
    }

    /** An answer that can be used; null if the given one has to be made, which others wait for then. */
    private synchronized @Nullable Answer claim(String question, Answer mine, long staleNs) {
        Answer known = made.get(question);
        if (known != null) {
            long ageNs = mine.madeNs - known.madeNs;
            if (ageNs < staleNs || (known.revision == mine.revision && ageNs < KEPT_NS)) {
                return known;
            }
        }
        remove(question);
        while (made.size() >= MOST) {
            remove(made.keySet().iterator().next());
        }
        made.put(question, mine);
        return null;
    }

    private synchronized void keep(String question, Answer answer, int length) {
        if (made.get(question) != answer) {
            return;
        }
        if (length > MOST_BYTES / 4) {
            remove(question);
            return;
        }
        answer.length = length;
        bytes += length;
        while (bytes > MOST_BYTES) {
            remove(made.keySet().iterator().next());
        }
    }

    private synchronized void forget(String question, Answer answer) {
        if (made.get(question) == answer) {
            remove(question);
        }
    }

    private void remove(String question) {
        Answer removed = made.remove(question);
        bytes -= removed == null ? 0 : removed.length;
    }

    /** Of all that are kept. */
    synchronized long bytes() {
        return bytes;
    }
}
