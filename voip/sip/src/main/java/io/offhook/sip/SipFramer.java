package io.offhook.sip;

/**
 * Splits the bytes of a stream into SIP messages (RFC 3261, 18.3; keep-alives RFC 5626, 3.5.1).
 *
 * <p>A message ends where Content-Length says. Without one, a message without Content-Type ends with its headers; any
 * other ends at the next line that is a start line, or at the end of the delivered bytes. A Content-Length that is not
 * a number is ignored. A Content-Length that reaches into the next message is detected if a segment begins with a start
 * line while the body is incomplete (except in message/* and multipart/* bodies, which may contain one); the message is
 * then passed on with the bytes so far. Bytes outside messages are skipped up to the next start line.
 *
 * <p>A message within the delivered bytes is passed on in place; others are gathered in a borrowed buffer.
 */
final class SipFramer {
    private static final int NEED_MORE = -1;
    /** The longest sequence of line ends that ends the headers: CR CR LF, twice. */
    private static final int HEADER_END_LENGTH = 6;

    private static final byte[] CONTENT_TYPE = SipHeader.CONTENT_TYPE.lowerCase();
    private static final byte[] MESSAGE = SipLexer.lowerCase("message/");
    private static final byte[] MULTIPART = SipLexer.lowerCase("multipart/");

    private final SipStreamCounters counters;
    private final StreamPlace place;
    private final GatherBuffer gather;
    /** Whether the gathered bytes begin with a start line. */
    private boolean started;
    /** The number of gathered bytes already searched for the end of the headers. */
    private int searched;
    /** The length of the gathered message once its headers are complete, otherwise 0. */
    private int total;
    /** The length of the gathered headers once they are complete. */
    private int headerBytes;
    /** The start of the incomplete message, after {@link #NEED_MORE}. */
    private int pendingAt;

    private boolean skipping;
    private boolean foundSip;
    /** The position in the stream of the first byte of what is gathered. */
    private long gatherStart;
    /** The position that the byte at index 0 of the array at hand has, or would have. */
    private long origin;

    private long timestampNs;
    private long frameNumber;

    /** @param place is set to where each message lies, before it is handed on */
    SipFramer(SipBufferPool pool, SipStreamCounters counters, StreamPlace place) {
        this.counters = counters;
        this.place = place;
        gather = new GatherBuffer(pool);
    }

    /** Whether a complete start line has been seen. */
    boolean foundSip() {
        return foundSip;
    }

    /** Whether it holds bytes that may be the beginning of a message. */
    boolean isGathering() {
        return !gather.isEmpty();
    }

    /** @param base the position in the stream that the byte at index 0 of the text has, or would have */
    void data(byte[] text, int offset, int length, long timestampNs, long frameNumber, SipSink sink, long base) {
        int end = offset + length;
        if (length > 0 && total > 0 && startsNextMessage(text, offset, length)) {
            // the time of the message is that of the packet with its last byte
            counters.findContentLengthWrong();
            origin = gatherStart;
            emit(gather.octets(), 0, gather.length(), sink);
            forget();
        }
        this.timestampNs = timestampNs;
        this.frameNumber = frameNumber;
        int at = offset;
        while (at < end) {
            if (gather.isEmpty()) {
                origin = base;
                at = inPlace(text, at, end, sink);
            } else {
                origin = gatherStart;
                at = gathered(text, at, end, sink);
            }
        }
    }

    /** Notes that bytes are missing here. */
    void gap() {
        dropPartial();
        skipping = false;
    }

    /** Notes that no bytes follow. */
    void end() {
        dropPartial();
    }

    private int inPlace(byte[] text, int at, int end, SipSink sink) {
        started = false;
        searched = 0;
        total = 0;
        int next = next(text, at, end, sink);
        if (next != NEED_MORE) {
            return next;
        }
        int bytes = Math.min(end - pendingAt, SipBufferPool.MESSAGE_LIMIT);
        if (!gather.append(text, pendingAt, bytes)) {
            counters.refuseBuffer();
            countDropped(end - pendingAt);
            forget();
            return end;
        }
        searched = bytes;
        gatherStart = origin + pendingAt;
        return pendingAt + bytes;
    }

    private int gathered(byte[] text, int at, int end, SipSink sink) {
        int before = gather.length();
        int wanted = total > 0 ? total - before : gather.room();
        int bytes = Math.min(end - at, wanted);
        if (bytes == 0 || !gather.append(text, at, bytes)) {
            dropUnfinished(bytes == 0);
            return at;
        }
        int length = gather.length();
        if (total > 0) {
            if (length == total) {
                emit(gather.octets(), 0, length, sink);
                forget();
            }
            return at + bytes;
        }
        return at + bytes - examineGathered(before, sink);
    }

    /**
     * Processes the gathered bytes.
     *
     * @param before the number of gathered bytes before the delivered ones were added
     * @return the number of delivered bytes that were not needed; they are no longer gathered
     */
    private int examineGathered(int before, SipSink sink) {
        int old = before;
        while (true) {
            int length = gather.length();
            int next = next(gather.octets(), 0, length, sink);
            if (next == NEED_MORE) {
                shift(pendingAt);
                searched = gather.length();
                return 0;
            }
            started = false;
            searched = 0;
            if (next >= old) {
                gather.clear();
                return length - next;
            }
            shift(next);
            old -= next;
        }
    }

    private void shift(int bytes) {
        gather.shift(bytes);
        gatherStart += bytes;
        origin = gatherStart;
    }

    /**
     * Processes one message, sequence of line ends, or run of garbage at the start of the bytes.
     *
     * @return the start of the next unit, or {@link #NEED_MORE} with {@link #pendingAt} set
     */
    private int next(byte[] text, int at, int end, SipSink sink) {
        if (!started) {
            int from = skipKeepAlive(text, at, end);
            if (from > at) {
                if (skipping) {
                    counters.skip(from - at);
                } else {
                    counters.keepAlives++;
                }
                return from;
            }
            SipMatch match = SipRecognizer.match(text, at, end - at);
            if (match == SipMatch.NO) {
                return skipGarbage(text, at, end);
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
        int body = SipHeaderScan.headersEnd(text, Math.max(at, at + searched - HEADER_END_LENGTH - 2), end);
        if (body < 0) {
            return NEED_MORE;
        }
        long messageEnd = messageEnd(text, at, body, end);
        if (messageEnd - at > SipBufferPool.MESSAGE_LIMIT) {
            counters.meetOversized();
            messageEnd = body;
        }
        if (messageEnd > end) {
            headerBytes = body - at;
            total = (int) (messageEnd - at);
            return NEED_MORE;
        }
        emit(text, at, (int) (messageEnd - at), sink);
        return (int) messageEnd;
    }

    private long messageEnd(byte[] text, int start, int body, int end) {
        int value = SipHeaderScan.contentLength(text, start, body);
        if (value >= 0) {
            long length = SipBodyLength.value(text, value, SipHeaderScan.valueEnd(text, value, body));
            if (length >= 0) {
                return length > Integer.MAX_VALUE ? Long.MAX_VALUE : (long) body + length;
            }
            counters.findContentLengthWrong();
        } else {
            counters.missContentLength();
        }
        if (SipHeaderScan.find(text, start, body, CONTENT_TYPE, 'c') < 0) {
            return body;
        }
        int at = body;
        while (at < end && SipRecognizer.match(text, at, end - at) != SipMatch.YES) {
            at = SipLexer.nextLine(text, SipLexer.lineEnd(text, at, end), end);
        }
        return at;
    }

    private boolean startsNextMessage(byte[] text, int offset, int length) {
        // a line end here may be the last of the body
        if (SipLexer.isLineEnd(text[offset]) || !SipRecognizer.isKnownStart(text, offset, length)) {
            return false;
        }
        byte[] message = gather.octets();
        int type = SipHeaderScan.find(message, 0, headerBytes, CONTENT_TYPE, 'c');
        return type < 0
                || !SipLexer.startsWith(message, type, headerBytes, MESSAGE)
                        && !SipLexer.startsWith(message, type, headerBytes, MULTIPART);
    }

    /** Skips to the next line that may be a start line. */
    private int skipGarbage(byte[] text, int from, int end) {
        if (!skipping) {
            skipping = true;
            counters.resynchronisations++;
        }
        int at = from;
        do {
            at = SipLexer.nextLine(text, SipLexer.lineEnd(text, at, end), end);
        } while (at < end && !isGap(text[at]) && SipRecognizer.match(text, at, end - at) == SipMatch.NO);
        counters.skip(at - from);
        return at;
    }

    private static boolean isGap(int octet) {
        return SipLexer.isLineEnd(octet) || octet == 0;
    }

    private static int skipKeepAlive(byte[] text, int from, int end) {
        int at = from;
        while (at < end && isGap(text[at])) {
            at++;
        }
        return at;
    }

    private void emit(byte[] text, int at, int length, SipSink sink) {
        started = false;
        searched = 0;
        counters.messages++;
        place.set(origin + at, origin + at + length);
        sink.message(text, at, length, timestampNs, frameNumber);
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
