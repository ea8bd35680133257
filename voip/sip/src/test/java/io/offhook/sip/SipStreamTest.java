package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SipStreamTest {
    private static final String BODY = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\n";
    private static final String INVITE = Native.lines(
                    "INVITE sip:bob@b SIP/2.0",
                    "Call-ID: 1",
                    "Content-Type: application/sdp",
                    "Content-Length: " + BODY.length(),
                    "")
            + BODY;
    private static final String OK = Native.lines("SIP/2.0 200 OK", "Call-ID: 2", "Content-Length: 0", "");
    private static final String BYE = Native.lines("BYE sip:bob@b SIP/2.0", "i: 3", "l: 0", "");

    private final Feed feed = new Feed();

    @Test
    void handsOnSeveralMessagesOfOneSegmentInPlace() {
        feed.data(INVITE + "\r\n\r\n" + OK + BYE);

        assertThat(feed.messages).containsExactly(INVITE, OK, BYE);
        assertThat(feed.inPlace).isEqualTo(3);
        assertThat(feed.stream.isSip()).isTrue();
        assertThat(feed.stream.transport()).isEqualTo(SipTransport.TCP);
        assertThat(feed.counters.keepAlives()).isEqualTo(1);
        assertThat(feed.counters.skippedBytes().count()).isZero();
        assertThat(feed.pool.allocatedBytes()).as("nothing gathered").isZero();
    }

    @Test
    void takesASegmentThatIsLongerThanACopy() {
        String large = Native.lines("MESSAGE sip:bob@b SIP/2.0", "i: 4", "l: 200000", "") + "m".repeat(200_000);

        feed.data(Native.text(large + INVITE + large + OK));

        assertThat(feed.messages).containsExactly(large, INVITE, large, OK);
        assertThat(feed.counters.skippedBytes().count()).isZero();
    }

    @Test
    void givesTimeAndFrameOfThePacketThatCompletes() {
        feed.data(INVITE.substring(0, 50));
        feed.data(INVITE.substring(50, 90));
        feed.data(INVITE.substring(90) + OK.substring(0, 20));
        feed.data(OK.substring(20));

        assertThat(feed.messages).containsExactly(INVITE, OK);
        assertThat(feed.frames).containsExactly(3L, 4L);
        assertThat(feed.times).containsExactly(3000L, 4000L);
        assertThat(feed.inPlace).isZero();
    }

    @Test
    void takesBytesOneByOne() {
        String all = "\r\n\r\n" + INVITE + "\r\n" + OK + BYE;
        for (int i = 0; i < all.length(); i++) {
            feed.data(all.substring(i, i + 1));
        }

        assertThat(feed.messages).containsExactly(INVITE, OK, BYE);
        assertThat(feed.counters.partialDropped().count()).isZero();
        assertThat(feed.counters.skippedBytes().count()).isZero();
    }

    @Test
    void takesAFirstSegmentThatEndsAnywhere() {
        String invite = INVITE.replace("bob@b", "+442051352201@192.0.2.24");
        for (int cut = 1; cut < invite.length(); cut++) {
            for (int bytes : new int[] {1, 2, 30, invite.length()}) {
                Feed pieces = new Feed();
                int next = Math.min(cut + bytes, invite.length());
                pieces.data(invite.substring(0, cut));
                pieces.data(invite.substring(cut, next));
                pieces.data(invite.substring(next) + BYE);

                assertThat(pieces.messages).as("cut at %d and %d", cut, next).containsExactly(invite, BYE);
                assertThat(pieces.counters.keepAlives()).isZero();
            }
        }
    }

    @Test
    void resynchronisesAtTheNextStartLine() {
        feed.data("a=sendrecv\r\na=ptime:20\r\nContent-Length: no\r\n" + OK);
        feed.data("stray bytes\r\nmore\r\n" + BYE);

        assertThat(feed.messages).containsExactly(OK, BYE);
        assertThat(feed.counters.resynchronisations()).isEqualTo(2);
        assertThat(feed.counters.skippedBytes().count())
                .isEqualTo("a=sendrecv\r\na=ptime:20\r\nContent-Length: no\r\nstray bytes\r\nmore\r\n".length());
    }

    @Test
    void dropsPartialMessageAtGapAndGoesOn() {
        feed.data(OK);
        feed.data(INVITE.substring(0, 100));
        feed.counters.at(17, 17_000);
        feed.stream.gap(42);
        feed.data("0.2.1\r\ns=-\r\n" + BYE);

        assertThat(feed.messages).containsExactly(OK, BYE);
        assertThat(feed.counters.partialDropped().count()).isEqualTo(1);
        assertThat(feed.counters.partialDropped().firstFrame()).isEqualTo(17);
        assertThat(feed.counters.partialDropped().firstNs()).isEqualTo(17_000);
        assertThat(feed.counters.gaps()).isEqualTo(1);
        assertThat(feed.counters.gapBytes()).isEqualTo(42);
        assertThat(feed.counters.skippedBytes().count()).isEqualTo(100 + 12);
    }

    @Test
    void countsPartialMessageAtTheEndAndGivesBuffersBack() {
        feed.data(OK + INVITE.substring(0, 60));
        long allocated = feed.pool.allocatedBytes();
        feed.stream.end();

        assertThat(feed.counters.partialDropped().count()).isEqualTo(1);
        Feed other = new Feed(feed.pool);
        other.data(OK + INVITE.substring(0, 60));
        assertThat(feed.pool.allocatedBytes()).isEqualTo(allocated);
    }

    @Test
    void withoutContentLengthEndsAtHeadersOrNextStartLine() {
        String bodyless = Native.lines("OPTIONS sip:b SIP/2.0", "Call-ID: 4", "");
        String withBody = Native.lines("INFO sip:b SIP/2.0", "Call-ID: 5", "Content-Type: application/dtmf-relay", "")
                + "Signal=5\r\nDuration=160\r\n";
        feed.data(bodyless + withBody + OK);
        feed.data(withBody);

        assertThat(feed.messages).containsExactly(bodyless, withBody, OK, withBody);
        assertThat(feed.counters.contentLengthMissing().count()).isEqualTo(3);
        assertThat(feed.counters.contentLengthMissing().firstFrame()).isEqualTo(1);
        assertThat(feed.counters.contentLengthMissing().lastFrame()).isEqualTo(2);
        assertThat(feed.counters.contentLengthMissing().lastNs()).isEqualTo(2000);
    }

    @Test
    void contentLengthThatIsNoNumberCountsAsNone() {
        String bad = OK.replace("Content-Length: 0", "Content-Length: -5");
        feed.data(bad + BYE);

        assertThat(feed.messages).containsExactly(bad, BYE);
        assertThat(feed.counters.contentLengthWrong().count()).isEqualTo(1);
    }

    @Test
    void noticesContentLengthThatReachesIntoTheNextMessage() {
        String tooLong = INVITE.replace("Content-Length: " + BODY.length(), "Content-Length: 300");
        feed.data(tooLong);
        feed.data(OK);
        feed.data(BYE);

        assertThat(feed.messages).containsExactly(tooLong, OK, BYE);
        assertThat(feed.frames).containsExactly(1L, 2L, 3L);
        assertThat(feed.counters.contentLengthWrong().count()).isEqualTo(1);
    }

    @Test
    void leavesStartLinesInMessageBodiesAlone() {
        String fragment = "SIP/2.0 200 OK\r\n";
        String notify = Native.lines(
                        "NOTIFY sip:b SIP/2.0",
                        "Call-ID: 6",
                        "Content-Type: message/sipfrag;version=2.0",
                        "Content-Length: " + fragment.length(),
                        "")
                + fragment;
        feed.data(notify.substring(0, notify.length() - fragment.length()));
        feed.data(fragment);

        assertThat(feed.messages).containsExactly(notify);
    }

    @Test
    void contentLengthTooShortSkipsTheRest() {
        String tooShort = INVITE.replace("Content-Length: " + BODY.length(), "Content-Length: 5");
        feed.data(tooShort + OK);

        assertThat(feed.messages).containsExactly(tooShort.substring(0, tooShort.length() - BODY.length() + 5), OK);
        assertThat(feed.counters.skippedBytes().count()).isEqualTo(BODY.length() - 5);
    }

    @Test
    void handsOnHeadersOfMessageThatIsTooLarge() {
        String large = OK.replace("Content-Length: 0", "Content-Length: 3000000000");
        feed.data(large + BYE);
        String endless = "SIP/2.0 200 OK\r\n" + "X: y\r\n".repeat(60_000);
        feed.data(endless);
        feed.data(BYE);

        assertThat(feed.messages).containsExactly(large, BYE, BYE);
        assertThat(feed.counters.oversized().count()).isEqualTo(2);
        assertThat(feed.counters.partialDropped().count()).isEqualTo(1);
        assertThat(feed.pool.allocatedBytes()).isLessThanOrEqualTo(SipBufferPool.MESSAGE_LIMIT);
    }

    @Test
    void dropsWhatThePoolHasNoRoomForAndGoesOn() {
        SipBufferPool pool = new SipBufferPool(SipBufferPool.MESSAGE_LIMIT);
        String large = OK.replace("Content-Length: 0", "Content-Length: 200000");
        Feed first = new Feed(pool);
        Feed second = new Feed(pool);
        first.data(large + "x".repeat(100_000));
        second.data(large + "x".repeat(100_000));
        first.data("x".repeat(100_000) + BYE);
        second.data("x".repeat(100_000) + "\r\n" + BYE);

        assertThat(first.messages).containsExactly(large + "x".repeat(200_000), BYE);
        assertThat(second.messages).containsExactly(BYE);
        assertThat(second.counters.bufferRefusals().count()).isEqualTo(1);
        assertThat(second.counters.partialDropped().count()).isEqualTo(1);
        assertThat(pool.refusals()).isEqualTo(1);
        assertThat(pool.allocatedBytes()).isLessThanOrEqualTo(SipBufferPool.MESSAGE_LIMIT);
    }

    @Test
    void rejectsHttpAtOnce() {
        feed.data("GET /index.html HTTP/1.1\r\nHost: example.com\r\nAccept: text/html\r\n\r\n");

        assertThat(feed.stream.isRejected()).isTrue();
        assertThat(feed.stream.isSip()).isFalse();
        assertThat(feed.counters.rejectedStreams()).isEqualTo(1);
        feed.data(OK);
        assertThat(feed.messages).isEmpty();
    }

    @Test
    void rejectsBinaryAfterAFewPieces() {
        String tls = "\u0016\u0003\u0001" + "\u0000\u0001".repeat(50);
        for (int i = 0; i < 3; i++) {
            feed.data(tls);
            assertThat(feed.stream.isRejected()).isFalse();
        }
        feed.data(tls);

        assertThat(feed.stream.isRejected()).isTrue();
    }

    @Test
    void rejectsOtherTextAfterAWhile() {
        String line = "220 mail.example.com ESMTP ready, and a long line that says nothing of use\r\n";
        int fed = 0;
        while (!feed.stream.isRejected() && fed < 200_000) {
            feed.data(line);
            fed += line.length();
        }

        assertThat(fed).isBetween(60_000, 70_000);
        assertThat(feed.pool.allocatedBytes()).isLessThan(20_000);
    }

    @Test
    void picksUpInMidStream() {
        feed.data("erminated\"\r\nContent-Length: 0\r\n\r\n");
        feed.data(BYE);
        assertThat(feed.messages).containsExactly(BYE);

        Feed binary = new Feed();
        binary.data("\u0080\u0001\u0002\u0003".repeat(20));
        binary.data("\u0001");
        binary.data(BYE);
        assertThat(binary.messages).containsExactly(BYE);
    }

    @Test
    void takesUtf8InTheFirstBytesForSip() {
        String message = "MESSAGE sip:j\u00c3\u00bcrgen@b SIP/2.0\r\nContent-Length: 0\r\n\r\n";
        feed.data(message);

        assertThat(feed.messages).containsExactly(message);
    }

    @Test
    void keepAlivesAloneDecideNothing() {
        feed.data("\r\n\r\n");
        feed.data("\r\n");
        feed.data("\0\0\0\0");

        assertThat(feed.stream.isSip()).isFalse();
        assertThat(feed.stream.isRejected()).isFalse();
        feed.data(OK);
        assertThat(feed.messages).containsExactly(OK);
    }
}
