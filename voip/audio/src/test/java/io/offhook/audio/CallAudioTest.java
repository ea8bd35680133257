package io.offhook.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.audio.codec.Speech;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.Side;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadOpener;
import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.testkit.traffic.CallPlan;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Security;
import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallAudioTest {
    /** What an adaptive buffer begins with. */
    private static final int FIRST_DELAY_MS = 80;

    private static final long MS = 1_000_000;

    @TempDir
    private Path folder;

    private static List<Frame> frames(int seed, Consumer<CallPlan> plan) {
        return new Traffic(seed).call(plan).capture().frames();
    }

    /** Speech on both sides, without jitter, for two seconds. */
    private static CallPlan steady(CallPlan plan, SentCodec codec) {
        return plan.codec(codec)
                .media(Party.CALLER, shape -> shape.speech().jitterMs(0))
                .media(Party.CALLEE, shape -> shape.speech().jitterMs(0))
                .answered()
                .talk(2000)
                .hangUp(Party.CALLER);
    }

    private PlayedCall play(List<Frame> frames) throws IOException {
        return PlayedCall.of(frames, folder, AudioOptions.DEFAULT);
    }

    private static List<Frame> rtp(List<Frame> frames, int port) {
        return frames.stream().filter(frame -> PlayedCall.isRtp(frame, port)).toList();
    }

    /** Where the first packet of a side is on the axis, in samples. */
    private static int begin(PlayedCall played, Side side, int rate) {
        double sinceStartMs =
                (played.stream(side).statistics().firstNs() - played.audio().startNs()) / 1e6;
        return (int) Math.round((sinceStartMs + FIRST_DELAY_MS) * rate / 1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PCMA", "PCMU"})
    void eachChannelHasTheSamplesOfItsSideWhereTheyWerePlayed(String law) throws IOException {
        List<Frame> frames = frames(1, plan -> steady(plan, law.equals("PCMA") ? SentCodec.PCMA : SentCodec.PCMU));
        PlayedCall played = play(frames);
        for (Side side : Side.values()) {
            List<byte[]> payloads = rtp(frames, played.stream(side).source().port()).stream()
                    .map(PlayedCall::payload)
                    .toList();
            short[] sent = Speech.decoded(new Codec(law, 8000), payloads);
            assertThat(sent).hasSizeGreaterThan(15_000);
            int begin = begin(played, side, 8000);
            short[] channel = played.channel(side);
            assertThat(Arrays.copyOfRange(channel, begin, begin + sent.length)).isEqualTo(sent);
            assertThat(Arrays.copyOfRange(channel, 0, begin)).containsOnly((short) 0);
            assertThat(Arrays.copyOfRange(channel, begin + sent.length, channel.length))
                    .containsOnly((short) 0);
            assertThat(played.marks(side, AudioMark.Kind.LOST)).isEmpty();
            assertThat(played.marks(side, AudioMark.Kind.DISCARDED)).isEmpty();
            assertThat(played.marks(side, AudioMark.Kind.UNREADABLE)).isEmpty();
        }
        assertThat(played.caller()).hasSize((int) played.audio().frames());
    }

    /** Each RTP packet in two fragments. */
    @Test
    void packetsInIpFragmentsArePlayedLikeAllOthers() throws IOException {
        List<Frame> plain = frames(1, plan -> steady(plan, SentCodec.PCMA));
        PlayedCall whole = play(plain);
        int port = whole.stream(Side.CALLER).source().port();
        List<Frame> cut = new ArrayList<>();
        for (Frame frame : plain) {
            if (PlayedCall.isRtp(frame, port)) {
                cut.addAll(PlayedCall.fragments(frame, 96, cut.size()));
            } else {
                cut.add(frame);
            }
        }
        PlayedCall played = play(cut);
        assertThat(played.caller()).isEqualTo(whole.caller());
        assertThat(played.callee()).isEqualTo(whole.callee());
        assertThat(played.report().streams()).allMatch(heard -> heard.notes().isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"GSM, 8000", "G722, 16000"})
    void otherCodecsAreThoseOfTheirDecoders(String name, int rate) throws IOException {
        SentCodec codec = name.equals("GSM") ? SentCodec.GSM : SentCodec.G722;
        List<byte[]> speech = Speech.payloads(new Codec(name, 8000));
        List<Frame> plain = frames(2, plan -> steady(plan, codec));
        int port = play(plain).stream(Side.CALLER).source().port();
        List<byte[]> sent = new ArrayList<>();
        List<Frame> frames = PlayedCall.change(plain, port, frame -> {
            byte[] payload = speech.get(sent.size() % speech.size());
            sent.add(payload);
            return PlayedCall.withPayload(frame, payload);
        });
        PlayedCall played = play(frames);
        assertThat(played.audio().rate()).isEqualTo(rate);
        short[] expected = Speech.decoded(new Codec(name, 8000), sent);
        int begin = begin(played, Side.CALLER, rate);
        assertThat(Arrays.copyOfRange(played.caller(), begin, begin + expected.length))
                .isEqualTo(expected);
    }

    @Test
    void opusFillsWhatIsLostAndMarksIt() throws IOException {
        Codec opus = new Codec("opus", 48_000, 1);
        List<byte[]> speech = Speech.payloads(opus);
        List<Frame> plain = frames(2, plan -> steady(plan, SentCodec.OPUS));
        int port = play(plain).stream(Side.CALLER).source().port();
        List<byte[]> sent = new ArrayList<>();
        List<Frame> frames = PlayedCall.change(plain, port, frame -> {
            byte[] payload = speech.get(sent.size() % speech.size());
            sent.add(payload);
            return sent.size() == 26 ? null : PlayedCall.withPayload(frame, payload);
        });
        PlayedCall played = play(frames);
        int begin = begin(played, Side.CALLER, 48_000);
        short[] expected = Speech.decoded(opus, sent.subList(0, 25));
        assertThat(Arrays.copyOfRange(played.caller(), begin, begin + expected.length))
                .isEqualTo(expected);
        List<AudioMark> lost = played.marks(Side.CALLER, AudioMark.Kind.LOST);
        assertThat(lost).hasSize(1);
        assertThat(lost.getFirst().fromMs()).isCloseTo((begin + expected.length) / 48.0, within(0.1));
        assertThat(PlayedCall.lengthMs(lost)).isCloseTo(20, within(0.1));
        short[] filled = Arrays.copyOfRange(played.caller(), begin + expected.length, begin + expected.length + 960);
        assertThat(peak(filled)).isGreaterThan(500);
    }

    private static int peak(short[] samples) {
        int peak = 0;
        for (short sample : samples) {
            peak = Math.max(peak, Math.abs(sample));
        }
        return peak;
    }

    @Test
    void lossIsASilentGapOfItsLengthAndMarked() throws IOException {
        List<Frame> all = frames(3, plan -> steady(plan, SentCodec.PCMA));
        int port = play(all).stream(Side.CALLER).source().port();
        List<Frame> sent = rtp(all, port);
        List<Integer> lost = List.of(20, 40, 41, 42, 70);
        List<Integer> numbers =
                lost.stream().map(i -> PlayedCall.number(sent.get(i))).toList();
        PlayedCall played =
                play(PlayedCall.change(all, port, frame -> numbers.contains(PlayedCall.number(frame)) ? null : frame));
        int begin = begin(played, Side.CALLER, 8000);
        for (int i = 0; i < sent.size(); i++) {
            short[] want = lost.contains(i)
                    ? new short[160]
                    : Speech.decoded(new Codec("PCMA", 8000), List.of(PlayedCall.payload(sent.get(i))));
            int at = begin + i * 160;
            assertThat(Arrays.copyOfRange(played.caller(), at, at + 160))
                    .as("packet %d", i)
                    .isEqualTo(want);
        }
        double beginMs = begin / 8.0;
        List<AudioMark> marks = played.marks(Side.CALLER, AudioMark.Kind.LOST);
        assertThat(marks).hasSize(3);
        assertThat(marks.get(1).fromMs()).isCloseTo(beginMs + 800, within(0.1));
        assertThat(marks.get(1).untilMs()).isCloseTo(beginMs + 860, within(0.1));
        assertThat(PlayedCall.lengthMs(marks)).isCloseTo(100, within(0.1));
        assertThat(played.marks(Side.CALLEE, AudioMark.Kind.LOST)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "fixed:60"})
    void whatTheBufferOfTheVerdictDiscardsIsAGapThatIsMarked(String buffer) throws IOException {
        List<Frame> all = frames(4, plan -> steady(plan, SentCodec.PCMA));
        int port = play(all).stream(Side.CALLER).source().port();
        List<Frame> sent = rtp(all, port);
        int late = PlayedCall.number(sent.get(50));
        List<Frame> frames = PlayedCall.change(
                all,
                port,
                frame -> PlayedCall.number(frame) == late
                        ? PlayedCall.at(frame, frame.timestampNs() + 150 * MS)
                        : frame);
        PlayedCall played = PlayedCall.of(
                frames,
                folder,
                AudioOptions.DEFAULT,
                AnalysisOptions.defaults()
                        .withMedia(
                                MediaOptions.DEFAULT.withBuffer(Objects.requireNonNull(JitterBuffer.parse(buffer)))));
        assertThat(Objects.requireNonNull(played.stream(Side.CALLER).playout()).discarded())
                .isEqualTo(1);
        List<AudioMark> marks = played.marks(Side.CALLER, AudioMark.Kind.DISCARDED);
        assertThat(marks).hasSize(1);
        assertThat(PlayedCall.lengthMs(marks)).isCloseTo(20, within(0.1));
        assertThat(played.marks(Side.CALLER, AudioMark.Kind.LOST)).isEmpty();
        int from = (int) Math.round(marks.getFirst().fromMs() * 8);
        assertThat(Arrays.copyOfRange(played.caller(), from, from + 160)).containsOnly((short) 0);
        short[] next = Speech.decoded(new Codec("PCMA", 8000), List.of(PlayedCall.payload(sent.get(51))));
        assertThat(Arrays.copyOfRange(played.caller(), from + 160, from + 320)).isEqualTo(next);
    }

    /** In all kinds of trouble, what is marked is what the statistics count. */
    @Test
    void marksAddUpToLossAndDiscardsOfTheVerdicts() throws IOException {
        for (int seed = 1; seed <= 8; seed++) {
            PlayedCall played = play(frames(
                    seed,
                    plan -> plan.codec(SentCodec.PCMU)
                            .media(
                                    Party.CALLER,
                                    shape -> shape.speech()
                                            .loss(0.03)
                                            .lossBursts(3)
                                            .reordering(0.02)
                                            .jitterMs(4)
                                            .stalls(700, 150))
                            .answered()
                            .talk(6000)
                            .hangUp(Party.CALLER)));
            var stream = played.stream(Side.CALLER);
            assertThat(PlayedCall.lengthMs(played.marks(Side.CALLER, AudioMark.Kind.DISCARDED)))
                    .as("seed %d", seed)
                    .isCloseTo(Objects.requireNonNull(stream.playout()).discarded() * 20.0, within(1.0));
            assertThat(PlayedCall.lengthMs(played.marks(Side.CALLER, AudioMark.Kind.LOST)))
                    .as("seed %d", seed)
                    .isCloseTo(stream.statistics().lost() * 20.0, within(1.0));
        }
    }

    @Test
    void comfortNoiseAndPausesAreSilentAndKeepTheirLength() throws IOException {
        List<Frame> frames = frames(
                5,
                plan -> plan.codec(SentCodec.PCMA)
                        .media(Party.CALLER, shape -> shape.speech().jitterMs(0).silenceSuppressed())
                        .answered()
                        .talk(12_000)
                        .hangUp(Party.CALLER));
        PlayedCall played = play(frames);
        assertThat(played.stream(Side.CALLER).statistics().comfortNoisePackets())
                .isPositive();
        assertThat(played.marks(Side.CALLER, AudioMark.Kind.LOST)).isEmpty();
        List<AudioMark> silent = played.marks(Side.CALLER, AudioMark.Kind.SILENCE);
        assertThat(silent).hasSizeGreaterThan(2);
        for (AudioMark mark : silent) {
            short[] samples =
                    Arrays.copyOfRange(played.caller(), (int) Math.ceil(mark.fromMs() * 8), (int) (mark.untilMs() * 8));
            assertThat(samples).containsOnly((short) 0);
        }
    }

    @Test
    void keyPressesAreSilentAndNotLost() throws IOException {
        PlayedCall played = play(frames(
                6,
                plan -> plan.codec(SentCodec.PCMA)
                        .media(Party.CALLER, shape -> shape.speech().jitterMs(0))
                        .answered()
                        .talk(1000)
                        .dtmf("42")
                        .talk(1000)
                        .hangUp(Party.CALLER)));
        assertThat(played.report().streams()).allMatch(heard -> heard.notes().isEmpty());
        assertThat(played.marks(Side.CALLER, AudioMark.Kind.LOST)).isEmpty();
        assertThat(PlayedCall.lengthMs(played.marks(Side.CALLER, AudioMark.Kind.SILENCE)))
                .isGreaterThan(200);
    }

    @Test
    void aCodecThatChangesInMidCallIsPlayedAtTheHigherRate() throws IOException {
        PlayedCall played = play(frames(
                7,
                plan -> plan.codec(SentCodec.PCMA)
                        .media(Party.CALLEE, shape -> shape.speech().jitterMs(0))
                        .answered()
                        .talk(1000)
                        .changeCodec(Party.CALLER, SentCodec.G722)
                        .talk(1000)
                        .hangUp(Party.CALLER)));
        assertThat(played.audio().rate()).isEqualTo(16_000);
        assertThat(played.report().streams())
                .allMatch(HeardStream::isPlayed)
                .allMatch(heard -> heard.notes().isEmpty());
        short[] before = Arrays.copyOfRange(played.callee(), 4000, 14_000);
        short[] after = Arrays.copyOfRange(played.callee(), 22_000, 30_000);
        assertThat(peak(before)).isGreaterThan(500);
        assertThat(peak(after)).isGreaterThan(500);
    }

    @Test
    void anotherSourceContinuesTheChannel() throws IOException {
        PlayedCall played = play(frames(
                8,
                plan -> plan.codec(SentCodec.PCMU)
                        .media(Party.CALLER, shape -> shape.speech().jitterMs(0))
                        .answered()
                        .talk(1000)
                        .newSource(Party.CALLER)
                        .talk(1000)
                        .hangUp(Party.CALLER)));
        assertThat(played.report().streams())
                .filteredOn(heard -> heard.side() == Side.CALLER)
                .hasSize(2)
                .allMatch(HeardStream::isPlayed);
        assertThat(played.marks(Side.CALLER, AudioMark.Kind.LOST)).isEmpty();
    }

    @Test
    void whatARelayPassesOnIsPlayedOnce() throws IOException {
        PlayedCall played = play(frames(
                9,
                plan -> plan.proxies(1)
                        .relayed()
                        .codec(SentCodec.PCMA)
                        .media(Party.CALLER, shape -> shape.speech().jitterMs(0))
                        .answered()
                        .talk(3000)
                        .hangUp(Party.CALLER)));
        assertThat(played.report().streams())
                .filteredOn(heard -> heard.side() == Side.CALLER)
                .extracting(HeardStream::state)
                .containsExactlyInAnyOrder(HeardStream.State.PLAYED, HeardStream.State.ELSEWHERE);
    }

    @Test
    void codecsWithoutADecoderAreNamed() throws IOException {
        PlayedCall played = play(frames(10, plan -> plan.codec(SentCodec.G729).completed(Party.CALLER, 1000)));
        assertThat(played.audio().isAudible()).isFalse();
        assertThat(played.audio().streams())
                .hasSize(2)
                .allMatch(heard -> heard.notes().equals(List.of("G729: no decoder")));
        assertThat(PlayedCall.lengthMs(played.marks(Side.CALLER, AudioMark.Kind.UNREADABLE)))
                .isGreaterThan(900);
    }

    @Test
    void encryptedAudioIsNeverPlayedWithoutAKey() throws IOException {
        List<Frame> frames = frames(
                11, plan -> plan.secured(Security.SDES).codec(SentCodec.PCMA).completed(Party.CALLER, 1000));
        PlayedCall closed = play(frames);
        assertThat(closed.audio().streams())
                .hasSize(2)
                .allMatch(heard -> heard.notes().equals(List.of("encrypted; no key")));
        assertThat(peak(closed.caller())).isZero();

        PlayedCall opened = PlayedCall.of(frames, folder, AudioOptions.DEFAULT.withOpeners(_ -> new TagRemover(false)));
        assertThat(opened.report().streams())
                .allMatch(HeardStream::isPlayed)
                .allMatch(heard -> heard.notes().isEmpty());
        assertThat(peak(opened.caller())).isPositive();

        PlayedCall wrong = PlayedCall.of(frames, folder, AudioOptions.DEFAULT.withOpeners(_ -> new TagRemover(true)));
        assertThat(wrong.report().streams())
                .allMatch(heard ->
                        heard.notes().getFirst().matches("the keys are wrong: they open none of its [0-9]+ packets"));
        assertThat(peak(wrong.caller())).isZero();
        assertThat(PlayedCall.lengthMs(wrong.marks(Side.CALLER, AudioMark.Kind.UNREADABLE)))
                .isGreaterThan(900);
    }

    /** Takes the tag of 10 octets away and leaves the rest as it is. */
    private record TagRemover(boolean isWrong) implements PayloadOpener {
        @Override
        public int open(MemorySegment packet, long offset, int length, MemorySegment opened) {
            if (isWrong) {
                return CLOSED;
            }
            MemorySegment.copy(packet, offset, opened, 0, length - 10);
            return length - 10;
        }
    }

    @Test
    void aRangeHasTheSamplesOfTheWhole() throws IOException {
        List<Frame> frames = frames(1, plan -> steady(plan, SentCodec.PCMA));
        PlayedCall whole = play(frames);
        PlayedCall part = PlayedCall.of(frames, folder, AudioOptions.DEFAULT.withRange(500, 1250));
        assertThat(part.caller()).isEqualTo(Arrays.copyOfRange(whole.caller(), 4000, 10_000));
        assertThat(part.callee()).isEqualTo(Arrays.copyOfRange(whole.callee(), 4000, 10_000));
        PlayedCall tail = PlayedCall.of(frames, folder, AudioOptions.DEFAULT.withRange(2000, Long.MAX_VALUE));
        assertThat(tail.caller()).isEqualTo(Arrays.copyOfRange(whole.caller(), 16_000, whole.caller().length));
        PlayedCall behind = PlayedCall.of(frames, folder, AudioOptions.DEFAULT.withRange(90_000, Long.MAX_VALUE));
        assertThat(behind.caller()).isEmpty();
    }

    @Test
    void whatTheSnapLengthCutIsNotPlayedAsIfItWereWhole() throws IOException {
        List<Frame> plain = frames(1, plan -> steady(plan, SentCodec.PCMA));
        int port = play(plain).stream(Side.CALLER).source().port();
        PlayedCall played = play(PlayedCall.change(
                plain,
                port,
                frame -> new Frame(
                        frame.timestampNs(), frame.linkType(), Arrays.copyOf(frame.bytes(), 100), frame.wireLength())));
        assertThat(peak(played.caller())).isZero();
        assertThat(peak(played.callee())).isPositive();
        assertThat(played.report().streams())
                .filteredOn(heard -> heard.side() == Side.CALLER)
                .allMatch(heard -> heard.notes().getFirst().endsWith("not captured to their end"));
    }

    @Test
    void aGapOfTenHoursIsCutAtTheLimitAndCostsNoMemory() throws IOException {
        List<Frame> plain = frames(1, plan -> steady(plan, SentCodec.PCMA));
        int port = play(plain).stream(Side.CALLER).source().port();
        List<Frame> rtp = rtp(plain, port);
        int last = PlayedCall.number(rtp.getLast());
        List<Frame> frames = PlayedCall.change(
                plain,
                port,
                frame -> PlayedCall.number(frame) == last
                        ? PlayedCall.at(frame, frame.timestampNs() + 36_000_000 * MS)
                        : frame);
        Path file = folder.resolve("gap.wav");
        PlayedCall first = PlayedCall.of(frames, folder, AudioOptions.DEFAULT.withRange(0, 3000));
        assertThat(first.audio().lengthMs()).isGreaterThan(36_000_000);
        CallAudio audio = CallAudio.of(first.call(), AudioOptions.DEFAULT);
        assertThat(audio.untilMs()).isEqualTo(CallAudio.MOST_MS);
        try (WavWriter wav = WavWriter.create(file, audio.rate(), audio.frames());
                var source = CaptureFiles.open(folder.resolve("call.pcap"))) {
            audio.play(source, wav);
        }
        assertThat(file).hasSize(44 + 4L * 3600 * 8000 * 4);
    }

    @Test
    void aTimeOutsideOfTheCallCostsItsPacketOnly() throws IOException {
        List<Frame> plain = frames(1, plan -> steady(plan, SentCodec.PCMA));
        int port = play(plain).stream(Side.CALLER).source().port();
        List<Frame> frames = new ArrayList<>(plain);
        Frame late = rtp(plain, port).get(40);
        frames.set(frames.indexOf(late), PlayedCall.at(late, late.timestampNs() + 3_600_000 * MS));
        PlayedCall played = play(frames);
        PlayedCall whole = play(plain);
        assertThat(played.audio().lengthMs()).isLessThan(5000);
        assertThat(peak(Arrays.copyOfRange(played.caller(), 8000, 16_000))).isPositive();
        assertThat(played.callee()).isEqualTo(whole.callee());
    }

    @Test
    void timestampsOfAnyKindNeitherThrowNorGrow() throws IOException {
        List<Frame> plain = frames(1, plan -> steady(plan, SentCodec.PCMA));
        int port = play(plain).stream(Side.CALLER).source().port();
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            List<Frame> frames = PlayedCall.change(plain, port, frame -> {
                byte[] bytes = frame.bytes().clone();
                if (random.nextInt(4) == 0) {
                    for (int i = 43; i < 50; i++) {
                        bytes[i] = (byte) (i == 43 ? bytes[i] : random.nextInt());
                    }
                }
                if (random.nextInt(6) == 0) {
                    bytes = Arrays.copyOf(bytes, PlayedCall.PAYLOAD + 1 + random.nextInt(100));
                }
                long at = frame.timestampNs() + (random.nextInt(9) == 0 ? random.nextInt(2000) * MS : 0);
                return PlayedCall.at(
                        PlayedCall.withPayload(
                                new Frame(at, frame.linkType(), bytes, bytes.length),
                                Arrays.copyOfRange(bytes, PlayedCall.PAYLOAD, bytes.length)),
                        at);
            });
            PlayedCall played = play(frames);
            assertThat(played.audio().lengthMs()).as("seed %d", seed).isLessThan(10_000);
        }
    }
}
