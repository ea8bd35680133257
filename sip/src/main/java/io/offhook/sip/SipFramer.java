package io.offhook.sip;

import static io.offhook.sip.SipLexer.u8;

import java.lang.foreign.MemorySegment;

/**
 * Cuts the bytes of a stream into SIP messages (RFC 3261, 18.3; keep-alives RFC 5626, 3.5.1).
 *
 * <p>A message ends where Content-Length says. Without one it ends at its headers when it names no Content-Type, else at
 * the next start line that begins a line, or with the bytes delivered so far. A Content-Length that is no number counts
 * as none; one that reaches into the next message is noticed when a segment starts with a start line while the body is
 * unfinished (not in message/* and multipart/* bodies, which may contain one), and the message is handed on with what
 * there was. Bytes that are no message are skipped up to the next line that is a start line.
 *
 * <p>A message that lies within the delivered bytes is handed on in place; else it is gathered in a borrowed buffer.
 */
final class SipFramer {
    private static final int NEED_MORE = -1;
    /** Longest run of line ends between two messages' parts that makes the end of the headers: CR CR LF, twice. */
    private static final int HEADER_END_LENGTH = 6;

    private static final byte[] CONTENT_TYPE = SipHeader.CONTENT_TYPE.lowerCase();
    private static final byte[] MESSAGE = SipLexer.lowerCase("message/");
    private static final byte[] MULTIPART = SipLexer.lowerCase("multipart/");

    private final SipStreamCounters counters;
    private final GatherBuffer gather;
    /** Whether what is gathered starts with a start line. */
    private boolean started;
    /** Bytes of what is gathered that hold no end of the headers. */
    private int searched;
    /** Bytes of the gathered message, once its headers are whole; else 0. */
    private int total;
    /** Bytes gathered that are headers, once they are whole. */
    private int headerBytes;
    /** Where the unfinished message starts, after {@link #NEED_MORE}. */
    private long pendingAt;

    private boolean skipping;
    private boolean foundSip;
    private long timestampNs;
    private long frameNumber;

    SipFramer(SipBufferPool pool, SipStreamCounters counters) {
        this.counters = counters;
        gather = new GatherBuffer(pool);
    }

    /** Whether a whole start line has been seen. */
    boolean foundSip() {
        return foundSip;
    }

    void data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber, SipSink sink) {
        long end = offset + length;
        if (length > 0 && total > 0 && startsNextMessage(segment, offset, length)) {
            // its time is that of the packet that brought the last of it
            counters.findContentLengthWrong();
            emit(gather.segment(), 0, gather.length(), sink);
            forget();
        }
        this.timestampNs = timestampNs;
        this.frameNumber = frameNumber;
        long at = offset;
        while (at < end) {
            at = gather.isEmpty() ? inPlace(segment, at, end, sink) : gathered(segment, at, end, sink);
        }
    }

    /** Bytes are missing here. */
    void gap() {
        dropPartial();
        skipping = false;
    }

    /** No bytes follow. */
    void end() {
        dropPartial();
    }

    private long inPlace(MemorySegment segment, long at, long end, SipSink sink) {
        started = false;
        searched = 0;
        total = 0;
        long next = next(segment, at, end, sink);
        if (next != NEED_MORE) {
            return next;
        }
        int bytes = (int) Math.min(end - pendingAt, SipBufferPool.MESSAGE_LIMIT);
        if (!gather.append(segment, pendingAt, bytes)) {
            counters.refuseBuffer();
            countDropped(end - pendingAt);
            forget();
            return end;
        }
        searched = bytes;
        return pendingAt + bytes;
    }

    private long gathered(MemorySegment segment, long at, long end, SipSink sink) {
        int before = gather.length();
        int wanted = total > 0 ? total - before : gather.room();
        int bytes = (int) Math.min(end - at, wanted);
        if (bytes == 0 || !gather.append(segment, at, bytes)) {
            dropUnfinished(bytes == 0);
            return at;
        }
        int length = gather.length();
        if (total > 0) {
            if (length == total) {
                emit(gather.segment(), 0, length, sink);
                forget();
            }
            return at + bytes;
        }
        return at + bytes - examineGathered(before, sink);
    }

    /**
     * Handles what is gathered.
     *
     * @param before how many of its bytes were there before the delivered ones were added
     * @return how many of the delivered bytes it did not need; they are not gathered any more
     */
    private int examineGathered(int before, SipSink sink) {
        int old = before;
        while (true) {
            int length = gather.length();
            long next = next(gather.segment(), 0, length, sink);
            if (next == NEED_MORE) {
                gather.shift((int) pendingAt);
                searched = gather.length();
                return 0;
            }
            started = false;
            searched = 0;
            if (next >= old) {
                gather.clear();
                return (int) (length - next);
            }
            gather.shift((int) next);
            old -= (int) next;
        }
    }

    /**
     * Handles one message, run of line ends, or stretch of garbage at the start of the bytes.
     *
     * @return where the next thing starts, or {@link #NEED_MORE} with {@link #pendingAt} set
     */
    private long next(MemorySegment segment, long at, long end, SipSink sink) {
        if (!started) {
            long from = skipKeepAlive(segment, at, end);
            if (from > at) {
                if (skipping) {
                    counters.skip(from - at);
                } else {
                    counters.keepAlives++;
                }
                return from;
            }
            SipMatch match = SipRecognizer.match(segment, at, (int) (end - at));
            if (match == SipMatch.NO) {
                return skipGarbage(segment, at, end);
            }
            pendingAt = at;
            if (match == SipMatch.POSSIBLE) {
                return NEED_MORE;
            }
            started = true;
            foundSip = true;
            skipping = false;
        }
        pendingAt = at;
        long body = SipHeaderScan.headersEnd(segment, Math.max(at, at + searched - HEADER_END_LENGTH - 2), end);
        if (body < 0) {
            return NEED_MORE;
        }
        long messageEnd = messageEnd(segment, at, body, end);
        if (messageEnd - at > SipBufferPool.MESSAGE_LIMIT) {
            counters.meetOversized();
            messageEnd = body;
        }
        if (messageEnd > end) {
            headerBytes = (int) (body - at);
            total = (int) (messageEnd - at);
            return NEED_MORE;
        }
        emit(segment, at, (int) (messageEnd - at), sink);
        return messageEnd;
    }

    private long messageEnd(MemorySegment segment, long start, long body, long end) {
        long value = SipHeaderScan.contentLength(segment, start, body);
        if (value >= 0) {
            long length = SipBodyLength.value(segment, value, SipHeaderScan.valueEnd(segment, value, body));
            if (length >= 0) {
                return length > Integer.MAX_VALUE ? Long.MAX_VALUE : body + length;
            }
            counters.findContentLengthWrong();
        } else {
            counters.missContentLength();
        }
        if (SipHeaderScan.find(segment, start, body, CONTENT_TYPE, 'c') < 0) {
            return body;
        }
        long at = body;
        while (at < end && SipRecognizer.match(segment, at, (int) (end - at)) != SipMatch.YES) {
            at = SipLexer.nextLine(segment, SipLexer.lineEnd(segment, at, end), end);
        }
        return at;
    }

    private boolean startsNextMessage(MemorySegment segment, long offset, int length) {
        // a line end here may be the last of the body
        if (SipLexer.isLineEnd(u8(segment, offset)) || !SipRecognizer.isKnownStart(segment, offset, length)) {
            return false;
        }
        MemorySegment message = gather.segment();
        long type = SipHeaderScan.find(message, 0, headerBytes, CONTENT_TYPE, 'c');
        return type < 0
                || !SipLexer.startsWith(message, type, headerBytes, MESSAGE)
                        && !SipLexer.startsWith(message, type, headerBytes, MULTIPART);
    }

    /** Past what is no start line: to the next line that may be one. */
    private long skipGarbage(MemorySegment segment, long from, long end) {
        if (!skipping) {
            skipping = true;
            counters.resynchronisations++;
        }
        long at = from;
        do {
            at = SipLexer.nextLine(segment, SipLexer.lineEnd(segment, at, end), end);
        } while (at < end
                && !isGap(u8(segment, at))
                && SipRecognizer.match(segment, at, (int) (end - at)) == SipMatch.NO);
        counters.skip(at - from);
        return at;
    }

    private static boolean isGap(int octet) {
        return SipLexer.isLineEnd(octet) || octet == 0;
    }

    private static long skipKeepAlive(MemorySegment segment, long from, long end) {
        long at = from;
        while (at < end && isGap(u8(segment, at))) {
            at++;
        }
        return at;
    }

    private void emit(MemorySegment segment, long at, int length, SipSink sink) {
        started = false;
        searched = 0;
        counters.messages++;
        sink.message(segment, at, length, timestampNs, frameNumber);
    }

    private void dropUnfinished(boolean tooLong) {
        if (tooLong) {
            counters.meetOversized();
        } else {
            counters.refuseBuffer();
        }
        dropPartial();
        skipping = true;
    }

    private void dropPartial() {
        countDropped(gather.length());
        forget();
    }

    private void countDropped(long bytes) {
        if (started) {
            counters.dropPartial();
        }
        counters.skip(bytes);
    }

    private void forget() {
        gather.clear();
        started = false;
        searched = 0;
        total = 0;
        headerBytes = 0;
    }
}
