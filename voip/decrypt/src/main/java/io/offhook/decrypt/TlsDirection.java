package io.offhook.decrypt;

import io.offhook.analysis.StreamReader;
import io.offhook.decrypt.TlsConnection.Phase;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.packet.PlacedCount;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The records of one direction of a TLS connection (RFC 5246, 6.2; RFC 8446, 5), opened as far as there are keys. Records that
 * wait for keys, which a log that grows may have a little later, are held up to {@link #MOST_WAITING}. Behind a hole it
 * searches for the next record that is authentic, with the numbers that records in the hole may have had. Single-threaded.
 */
final class TlsDirection implements StreamReader, TlsHandshake.Messages {
    /** The most bytes that wait for keys. */
    static final int MOST_WAITING = 1 << 17;

    /** The least bytes of a record behind its header: a hole has no more records than its bytes have room for. */
    private static final int LEAST_RECORD = 17;

    private static final int MOST_NUMBERS = 4096;
    /** What looks like a record behind a hole and is none: more than this, and the stream is given up. */
    private static final int MOST_TRIALS = 64;

    private enum Step {
        NEXT,
        AGAIN,
        WAIT,
        STOP
    }

    private final TlsShard shard;
    private final TlsConnection connection;
    private final TcpStream stream;
    private final StreamReader plain;
    private final TlsHandshake handshake = new TlsHandshake(this);
    private @Nullable TlsDirection other;

    private final TlsRecords records;
    private long frameNumber;
    private long timestampNs;

    private boolean isClient;
    private boolean isServer;
    private @Nullable TlsRecordCipher cipher;
    private @Nullable Secret trafficSecret;
    private @Nullable Phase phase;
    private long number;
    private boolean isCipherChanged;
    private boolean hasOpened;
    private boolean isWaiting;
    private boolean isStopped;
    private boolean isEnded;
    /** Behind a hole: the most records that it can have had; 0 if there is none. */
    private int lostRecords;

    private int trials;

    TlsDirection(TlsShard shard, TlsConnection connection, TcpStream stream, StreamReader plain) {
        this.shard = shard;
        this.connection = connection;
        this.stream = stream;
        this.plain = plain;
        records = new TlsRecords(shard);
    }

    TlsConnection connection() {
        return connection;
    }

    void pair(TlsDirection with) {
        other = with;
    }

    @Override
    public boolean data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
        this.timestampNs = timestampNs;
        this.frameNumber = frameNumber;
        for (int taken = 0; taken < length && !isStopped; ) {
            int part = Math.min(length - taken, TlsRecords.LONGEST);
            if (!records.add(segment, offset + taken, part)) {
                stop(isWaiting ? shard.counts().withoutKey : shard.counts().givenUp);
                break;
            }
            taken += part;
            read();
        }
        TlsDirection waiting = other;
        if (waiting != null && waiting.isWaiting && !waiting.isStopped) {
            waiting.read();
        }
        if (isStopped) {
            finish();
        }
        return !isStopped;
    }

    /** Reads the whole records that are held. */
    private void read() {
        isWaiting = false;
        while (!isStopped && (lostRecords == 0 || find()) && isWhole()) {
            int length = records.length();
            switch (record(records.type(), length)) {
                case NEXT -> records.release(TlsRecordCipher.HEADER + length);
                case AGAIN -> {
                    // under other keys
                }
                case WAIT -> {
                    isWaiting = true;
                    return;
                }
                case STOP -> {
                    return;
                }
            }
        }
    }

    private boolean isWhole() {
        if (!records.hasHeader()) {
            return false;
        }
        if (!records.isRecord()) {
            stop(shard.counts().givenUp);
            return false;
        }
        return records.isWhole();
    }

    private Step record(int type, int length) {
        if (cipher == null && isEncrypted(type)) {
            Step step = begin();
            if (step != Step.NEXT) {
                return step;
            }
        }
        TlsRecordCipher opening = cipher;
        if (opening == null) {
            if (type == TlsRecords.HANDSHAKE) {
                handshake.read(records.octets(), records.contentAt(), length);
            } else if (type == TlsRecords.CHANGE_CIPHER_SPEC) {
                isCipherChanged = true;
            }
            return Step.NEXT;
        }
        if (phase != null && type != TlsRecords.APPLICATION_DATA) {
            return Step.NEXT; // for middleboxes (RFC 8446, appendix D.4)
        }
        int bytes = opening.open(records.octets(), records.at(), length, number, shard.opened());
        if (bytes == TlsRecordCipher.CLOSED) {
            return closed();
        }
        hasOpened = true;
        number++;
        return opened(type, bytes);
    }

    private boolean isEncrypted(int type) {
        if (!connection.hasHellos()) {
            return type == TlsRecords.APPLICATION_DATA || isCipherChanged && type != TlsRecords.HANDSHAKE;
        }
        return connection.isTls13() ? type == TlsRecords.APPLICATION_DATA : isCipherChanged;
    }

    /** Begins to open records; waits for what is missing. */
    private Step begin() {
        TlsDirection reverse = other;
        isClient |= reverse != null && reverse.isServer;
        isServer |= reverse != null && reverse.isClient;
        if (!connection.hasHellos()) {
            return connection.hasHello() ? Step.WAIT : stop(shard.counts().withoutHello);
        }
        TlsSuite suite = connection.suite();
        if (suite == null || !connection.isSupported()) {
            return stop(shard.counts().unsupported);
        }
        if (!connection.isTls13()) {
            cipher = connection.cipher12(suite, isClient);
        } else {
            if (phase == null) {
                phase = connection.firstPhase(isClient);
            }
            Secret secret = trafficSecret == null ? connection.trafficSecret(isClient, phase) : trafficSecret;
            trafficSecret = secret;
            cipher = secret == null ? null : connection.cipher13(suite, secret);
        }
        number = 0;
        isCipherChanged &= cipher == null;
        return cipher == null ? Step.WAIT : Step.NEXT;
    }

    /** A record is not authentic: early data may have ended, otherwise the keys are wrong. */
    private Step closed() {
        if (phase == Phase.EARLY) {
            change(Phase.HANDSHAKE);
            return Step.AGAIN;
        }
        return stop(hasOpened ? shard.counts().givenUp : shard.counts().keyWrong);
    }

    private void change(Phase next) {
        phase = next;
        trafficSecret = null;
        cipher = null;
    }

    private Step opened(int outerType, int bytes) {
        byte[] content = shard.opened();
        int type = outerType;
        int length = bytes;
        if (phase != null) {
            while (length > 0 && content[length - 1] == 0) {
                length--;
            }
            if (length == 0) {
                return Step.NEXT;
            }
            type = content[--length] & 0xff;
        }
        switch (type) {
            case TlsRecords.HANDSHAKE -> handshake.read(content, 0, length);
            case TlsRecords.CHANGE_CIPHER_SPEC -> {
                isCipherChanged = true; // a handshake in the connection, of TLS 1.2
                cipher = null;
            }
            case TlsRecords.APPLICATION_DATA -> {
                return deliver(content, length);
            }
            default -> {
                // alerts say nothing of SIP
            }
        }
        return Step.NEXT;
    }

    private Step deliver(byte[] content, int length) {
        if (length == 0) {
            return Step.NEXT;
        }
        MemorySegment.copy(content, 0, shard.plain(), ValueLayout.JAVA_BYTE, 0, length);
        if (plain.data(shard.plain(), 0, length, timestampNs, frameNumber)) {
            return Step.NEXT;
        }
        isStopped = true;
        return Step.STOP;
    }

    @Override
    public void clientHello(KeyLog.ClientRandom random, byte[] randomBytes, boolean hasEarlyData) {
        isClient = true;
        connection.clientHello(random, randomBytes, hasEarlyData);
    }

    @Override
    public void serverHello(TlsHandshake.ServerHello hello) {
        isServer = true;
        connection.serverHello(hello);
    }

    @Override
    public void other(int type) {
        if (phase == null) {
            return;
        }
        if (type == TlsHandshake.FINISHED && phase == Phase.HANDSHAKE) {
            change(Phase.APPLICATION);
        } else if (type == TlsHandshake.END_OF_EARLY_DATA && phase == Phase.EARLY) {
            change(Phase.HANDSHAKE);
        } else if (type == TlsHandshake.KEY_UPDATE && phase == Phase.APPLICATION) {
            updateKey();
        }
    }

    private void updateKey() {
        TlsSuite suite = connection.suite();
        if (suite != null && trafficSecret != null) {
            trafficSecret = connection.nextTrafficSecret(suite, trafficSecret);
            cipher = null;
        }
    }

    @Override
    public void gap(long missingBytes, long timestampNs, long frameNumber) {
        this.timestampNs = timestampNs;
        this.frameNumber = frameNumber;
        if (isStopped) {
            return;
        }
        shard.counts().holes.add(frameNumber, timestampNs);
        records.clear();
        handshake.gap();
        long most = missingBytes / (TlsRecordCipher.HEADER + LEAST_RECORD) + 2;
        lostRecords = (int) Math.min(MOST_NUMBERS, lostRecords + most);
        plain.gap(missingBytes, timestampNs, frameNumber);
    }

    /** Moves to the next record behind a hole; false if more bytes are needed. */
    private boolean find() {
        while (records.hasHeader()) {
            if (records.isRecord() && records.length() > 0) {
                if (!records.isWhole()) {
                    return false;
                }
                if (isNext(records.type(), records.length())) {
                    lostRecords = 0;
                    trials = 0;
                    return true;
                }
                if (++trials > MOST_TRIALS) {
                    stop(shard.counts().givenUp);
                    return false;
                }
            }
            records.release(1);
        }
        return false;
    }

    /** Whether a record goes on behind the hole; then its number and keys are set. */
    private boolean isNext(int type, int length) {
        if (cipher == null && type == TlsRecords.CHANGE_CIPHER_SPEC) {
            return length == 1 && records.octets()[records.contentAt()] == 1;
        }
        if (length < LEAST_RECORD || cipher == null && (!connection.hasHellos() || begin() != Step.NEXT)) {
            return false;
        }
        if (opens(length)) {
            return true;
        }
        Phase phaseBefore = phase;
        Secret secretBefore = trafficSecret;
        TlsRecordCipher cipherBefore = cipher;
        long numberBefore = number;
        if (hasFollowing() && opens(length)) {
            return true;
        }
        phase = phaseBefore;
        trafficSecret = secretBefore;
        cipher = cipherBefore;
        number = numberBefore;
        return false;
    }

    /** Whether a record opens with one of the numbers that it may have; then this is the number. */
    private boolean opens(int length) {
        TlsRecordCipher opening = cipher;
        for (int i = 0; i <= lostRecords && opening != null; i++) {
            if (opening.open(records.octets(), records.at(), length, number + i, shard.opened())
                    != TlsRecordCipher.CLOSED) {
                number += i;
                return true;
            }
        }
        return false;
    }

    /** Changes to the keys after those that protect what was before the hole; false if there are none. */
    private boolean hasFollowing() {
        if (phase == null) {
            return false;
        }
        if (phase == Phase.APPLICATION) {
            updateKey();
        } else {
            change(Phase.APPLICATION);
        }
        return begin() == Step.NEXT;
    }

    private Step stop(PlacedCount count) {
        if (!isStopped) {
            count.add(frameNumber, timestampNs);
            isStopped = true;
        }
        return Step.STOP;
    }

    @Override
    public void end() {
        if (!isStopped) {
            read();
            if (isWaiting) {
                stop(shard.counts().withoutKey);
            }
        }
        finish();
    }

    /** Gives everything back, once. */
    private void finish() {
        if (!isEnded) {
            isEnded = true;
            isStopped = true;
            records.end();
            cipher = null;
            plain.end();
            shard.ended(stream);
            connection.end();
        }
    }
}
