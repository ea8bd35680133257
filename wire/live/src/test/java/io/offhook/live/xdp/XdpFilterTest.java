package io.offhook.live.xdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.filter.BpfInterpreter;
import io.offhook.filter.BpfOpcode;
import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.BpfMap;
import io.offhook.linux.raw.NativeSocket;
import io.offhook.linux.raw.XdpProgram;
import io.offhook.live.engine.KernelFilter;
import io.offhook.packet.LinkType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters as the kernel runs them, on frames that it is given, against the interpreter. */
@EnabledOnOs(OS.LINUX)
class XdpFilterTest {
    private static final int ETHERNET_BYTES = 14;
    private static final long SEED = 20_260_704;

    private static final String MACS = "020000000002" + "020000000001";
    private static final String UDP = "4500002a" + "00004000" + "40110000" + "c0000201" + "c0000202"
            + "13c413c600160000" + "4f5054494f4e53207369703a6263";
    private static final String OPTIONS_TCP = "4600003c" + "00000000" + "40060000" + "0a000001" + "0a000002"
            + "94040000" + "13c40050" + "00000001" + "00000002" + "5018ffff" + "00000000" + "474554202f";
    private static final String FRAGMENT =
            "45000020" + "12342003" + "40110000" + "c0000201" + "c0000202" + "0011223344556677";
    private static final String IPV6 = "60000000" + "000a1140" + "20010db8000000000000000000000001"
            + "20010db8000000000000000000000002" + "13c413c6000a0000" + "abcd";
    private static final String ARP = "0001080006040001" + "020000000001c0000201" + "000000000000c0000202";
    private static final List<byte[]> FRAMES = frames();

    private NativeSocket socket;
    private BpfMap map;

    @BeforeEach
    void makeMap() {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root");
        // never bound: the kernel is only asked what it would do
        socket = NativeSocket.open(IfXdp.AF_XDP, IfXdp.SOCK_RAW, 0, "open an AF_XDP socket");
        map = BpfMap.ofXdpSockets(1);
        map.put(0, socket.descriptor(), "put a socket into a map");
    }

    @AfterEach
    void removeMap() {
        if (map != null) {
            map.close();
            socket.close();
        }
    }

    /** Whole frames, and each cut off behind each of its bytes. */
    private static List<byte[]> frames() {
        List<byte[]> frames = new ArrayList<>();
        for (String hex : List.of(
                MACS + "0800" + UDP,
                MACS + "8100" + "2005" + "0800" + UDP,
                MACS + "88a8" + "0007" + "8100" + "0005" + "86dd" + IPV6,
                MACS + "0800" + OPTIONS_TCP,
                MACS + "0800" + FRAGMENT,
                MACS + "86dd" + IPV6,
                "ffffffffffff" + "020000000001" + "0806" + ARP,
                MACS + "8847" + "00010140" + UDP)) {
            byte[] frame = HexFormat.of().parseHex(hex);
            for (int length = ETHERNET_BYTES; length <= frame.length; length++) {
                frames.add(Arrays.copyOf(frame, length));
            }
        }
        return frames;
    }

    /** Runs both on all frames. @return how many are wanted */
    private int compare(BpfProgram filter, List<byte[]> frames) {
        BpfInterpreter interpreter = new BpfInterpreter(filter);
        int wanted = 0;
        try (XdpProgram program = XdpProgram.load(XdpFilter.redirecting(filter, map), false);
                Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(2048);
            for (byte[] frame : frames) {
                MemorySegment.copy(frame, 0, room, ValueLayout.JAVA_BYTE, 0, frame.length);
                boolean isWanted = interpreter.match(room, 0, frame.length, frame.length) != 0;
                assertThat(program.test(room.asSlice(0, frame.length)))
                        .as("of " + HexFormat.of().formatHex(frame))
                        .isEqualTo(isWanted ? XdpProgram.XDP_REDIRECT : XdpProgram.XDP_PASS);
                wanted += isWanted ? 1 : 0;
            }
        }
        return wanted;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ip",
                "not ip",
                "ip6",
                "arp",
                "udp",
                "udp port 5060",
                "tcp port 80",
                "tcp[tcpflags] & tcp-push != 0",
                "vlan",
                "vlan 5",
                "vlan and udp port 5060",
                "host 192.0.2.1",
                "net 10.0.0.0/8",
                "ip6 host 2001:db8::1",
                "ether broadcast",
                "ether dst 02:00:00:00:00:02",
                "greater 60",
                "less 60",
                "len = 56",
                "udp[8:4] = 0x4f505449",
                "ip[6:2] & 0x1fff != 0",
                "ip[2:2] - ((ip[0] & 0xf) << 2) > 20",
                "(ether[14] >> ether[15]) = 4 or ether[16] * 3 > 9",
                "ip[8] / ip[2:2] = 0 or ip[8] % 3 = 1",
                "mpls",
                "portrange 5060-5080",
                "udp port 5060 or tcp portrange 20-90 or (ip6 and udp[8] = 0xab)"
            })
    void wantsWhatTheInterpreterWants(String expression) {
        int wanted = compare(FilterCompiler.compile(expression, LinkType.ETHERNET, 65_535), FRAMES);
        assertThat(wanted).isBetween(1, FRAMES.size() - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ether[70000] = 1", "ether[0x80000000] != 1", "ip[8] / ip[1] = 0"})
    void wantsNothingWhereALoadIsBeyondAnyFrameOrADivisionByZero(String expression) {
        assertThat(compare(FilterCompiler.compile(expression, LinkType.ETHERNET, 65_535), FRAMES))
                .isZero();
    }

    @Test
    void wantsAllAndNothing() {
        assertThat(compare(FilterCompiler.compile("", LinkType.ETHERNET, 65_535), FRAMES))
                .isEqualTo(FRAMES.size());
        assertThat(compare(KernelFilter.nothing(), FRAMES)).isZero();
    }

    /** Loads, computes and compares as it comes, with all operations, offsets near and beyond the end, and no meaning. */
    private static BpfProgram random(Random random) {
        int length = 4 + random.nextInt(24);
        int[] code = new int[length];
        int[] jt = new int[length];
        int[] jf = new int[length];
        int[] k = new int[length];
        for (int i = 0; i < length - 2; i++) {
            int operand = random.nextBoolean() ? BpfOpcode.X : BpfOpcode.K;
            int size = random.nextInt(3) * BpfOpcode.H;
            int left = length - 2 - i;
            k[i] = random.nextInt(64);
            switch (random.nextInt(9)) {
                case 0 -> code[i] = BpfOpcode.LD | BpfOpcode.ABS | size;
                case 1 -> code[i] = BpfOpcode.LD | BpfOpcode.IND | size;
                case 2 -> code[i] = BpfOpcode.LDX_MSH;
                case 3 -> {
                    code[i] = random.nextBoolean() ? BpfOpcode.ST : BpfOpcode.STX;
                    k[i] &= 15;
                }
                case 4 -> {
                    code[i] = (random.nextBoolean() ? BpfOpcode.LD : BpfOpcode.LDX) | BpfOpcode.MEM;
                    k[i] &= 15;
                }
                case 5 -> {
                    code[i] = (random.nextBoolean() ? BpfOpcode.LD : BpfOpcode.LDX)
                            | (random.nextBoolean() ? BpfOpcode.IMM : BpfOpcode.LEN);
                    k[i] = random.nextBoolean() ? random.nextInt() : k[i];
                }
                case 6 -> code[i] = BpfOpcode.MISC | (random.nextBoolean() ? BpfOpcode.TAX : BpfOpcode.TXA);
                case 7 -> {
                    int operation = random.nextInt(11) * BpfOpcode.SUB;
                    code[i] = BpfOpcode.ALU | operation | (operation == BpfOpcode.NEG ? 0 : operand);
                    // no program divides by a constant 0, or shifts by more than 31
                    k[i] = 1 + random.nextInt(31);
                }
                default -> {
                    code[i] = BpfOpcode.JMP | (1 + random.nextInt(4)) * BpfOpcode.JEQ | operand;
                    jt[i] = random.nextInt(left);
                    jf[i] = random.nextInt(left);
                    k[i] = random.nextBoolean() ? random.nextInt() : k[i];
                }
            }
        }
        code[length - 2] = BpfOpcode.RET | BpfOpcode.A;
        code[length - 1] = BpfOpcode.RET | BpfOpcode.K;
        k[length - 1] = random.nextInt(2);
        return BpfProgram.of(code, jt, jf, k);
    }

    @Test
    void doesWhatTheInterpreterDoesWithProgramsOfNoMeaning() {
        Random random = new Random(SEED);
        int loaded = 0;
        for (int round = 0; round < 400; round++) {
            BpfProgram filter = random(random);
            List<byte[]> frames = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                byte[] frame = new byte[ETHERNET_BYTES + random.nextInt(80)];
                random.nextBytes(frame);
                frames.add(frame);
            }
            if (compare(filter, frames) > 0) {
                loaded++;
            }
        }
        assertThat(loaded).isGreaterThan(50);
    }

    @Test
    void refusesALoop() {
        BpfProgram loop = FilterCompiler.compile("ip protochain 6", LinkType.ETHERNET, 65_535);
        NetworkDevice loopback = Objects.requireNonNull(NetworkDevice.named("lo"));
        assertThatThrownBy(() -> XdpRedirect.attach(loopback, 1, XdpMode.GENERIC, loop, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the filter has a loop (protochain), which no kernel runs");
    }
}
