package io.offhook.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigReader;
import io.offhook.sip.SipUri;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The order of a group's members for a call. */
class NextHopGroupTest {
    private static final String FOUR = """
            members:
              - {uri: "sip:a", weight: 3}
              - {uri: "sip:b", weight: 1}
              - {uri: "sip:c", priority: 1}
              - {uri: "sip:d", priority: 1}
            """;

    private static NextHopGroup group(String yaml) {
        return new NextHopGroup("g", ConfigReader.of(GroupConfig.schema()).read(yaml, "g"));
    }

    private static List<Integer> order(NextHopGroup group, String callId, long nowMs) {
        NextHopGroup.Attempts attempts = group.begin(callId, nowMs);
        List<Integer> order = new ArrayList<>();
        for (int member = attempts.next(); member >= 0; member = attempts.next()) {
            order.add(member);
        }
        return order;
    }

    private static void fail(NextHopGroup group, int member, long nowMs) {
        for (int i = 0; i < 3; i++) {
            group.health().failed(member, 0, nowMs);
        }
    }

    @Test
    void takesTurnsByWeightWithinTheFirstPriority() {
        NextHopGroup group = group("attempts: 4\n" + FOUR);
        int[] first = new int[4];
        StringBuilder turns = new StringBuilder();
        for (int i = 0; i < 600; i++) {
            List<Integer> order = order(group, "x", 0);
            assertThat(order).hasSize(4);
            assertThat(order.subList(2, 4)).containsExactlyInAnyOrder(2, 3);
            first[order.getFirst()]++;
            turns.append(order.getFirst());
        }
        assertThat(first[0] / (double) first[1]).isBetween(2.9, 3.1);
        assertThat(turns.toString()).as("spread evenly").doesNotContain("0000").doesNotContain("11");
    }

    @Test
    void triesAsManyAsConfigured() {
        NextHopGroup group = group(FOUR);
        assertThat(order(group, "x", 0)).hasSize(3);
        assertThat(group.failovers()).isEqualTo(2);
        assertThat(group.exhausted()).isEqualTo(1);
    }

    @Test
    void theFirstThatCanBeUsedIsFirst() {
        NextHopGroup group = group("select: first\n" + FOUR);
        assertThat(order(group, "x", 0)).containsExactly(0, 1, 2);
        fail(group, 0, 0);
        assertThat(order(group, "x", 0)).containsExactly(1, 2, 3);
        assertThat(order(group, "x", 5000)).as("after its back-off").containsExactly(0, 1, 2);
    }

    @Test
    void triesWhoIsDownIfNobodyElseIsThere() {
        NextHopGroup group = group("select: first\nattempts: 2\n" + FOUR);
        for (int i = 0; i < 4; i++) {
            fail(group, i, 0);
        }
        assertThat(order(group, "x", 0)).containsExactly(0, 1);
        assertThat(group.lastResorts()).isEqualTo(2);
        assertThat(group.begin("x", 0).retryAfterS()).isZero();
    }

    @Test
    void leavesAloneWhoHasAskedForIt() {
        NextHopGroup group = group("select: first\nmembers: [{uri: 'sip:a'}, {uri: 'sip:b'}]");
        group.health().failed(0, 10, 0);
        assertThat(order(group, "x", 0)).containsExactly(1);
        group.health().failed(1, 20, 500);
        NextHopGroup.Attempts none = group.begin("x", 1000);
        assertThat(none.next()).isEqualTo(-1);
        assertThat(none.retryAfterS()).isEqualTo(9);
        assertThat(order(group, "x", 10_000)).containsExactly(0);
    }

    @Test
    void aCallIdAlwaysHasTheSameOrder() {
        NextHopGroup group = group("select: hash\n" + FOUR);
        for (int i = 0; i < 100; i++) {
            assertThat(order(group, "call-" + i, 0)).isEqualTo(order(group("select: hash\n" + FOUR), "call-" + i, 0));
        }
    }

    @Test
    void hashingGoesByWeightAndMovesFewCallsWhenAMemberGoes() {
        StringBuilder members = new StringBuilder("select: hash\nmembers:\n");
        for (int i = 0; i < 10; i++) {
            members.append("  - {uri: 'sip:m" + i + "', weight: " + (i == 9 ? 3 : 1) + "}\n");
        }
        NextHopGroup ten = group(members.toString());
        NextHopGroup nine = group(members.toString().replace("  - {uri: 'sip:m4', weight: 1}\n", ""));
        Map<String, Integer> share = new HashMap<>();
        int moved = 0;
        int ofMissing = 0;
        int calls = 12_000;
        for (int i = 0; i < calls; i++) {
            String was = uri(ten, ten.begin("c" + i, 0).next());
            String is = uri(nine, nine.begin("c" + i, 0).next());
            share.merge(was, 1, Integer::sum);
            ofMissing += was.equals("sip:m4") ? 1 : 0;
            moved += was.equals(is) ? 0 : 1;
        }
        assertThat(moved).as("only those of the missing member").isEqualTo(ofMissing);
        assertThat(share.get("sip:m9")).isBetween(2_700, 3_300);
        assertThat(share.get("sip:m4")).isBetween(880, 1_120);
    }

    private static String uri(NextHopGroup group, int member) {
        return group.config().members().get(member).uri().toString();
    }

    @Test
    void aReloadKeepsWhatIsKnownOfMembers() {
        NextHopGroup group = group("select: first\n" + FOUR);
        fail(group, 0, 0);
        NextHopGroup after = group.reloaded(ConfigReader.of(GroupConfig.schema())
                .read("select: first\nmembers: [{uri: 'sip:new'}, {uri: 'sip:a'}, {uri: 'sip:b'}]", "g"));
        assertThat(order(after, "x", 1)).containsExactly(0, 2);
        assertThat(order(after, "x", 5000)).containsExactly(0, 1, 2);
        assertThat(after.failovers()).isEqualTo(3);
    }

    @Test
    void failsOverAsConfigured() {
        NextHopGroup group = group("failover-on: 408 5xx\n" + FOUR);
        assertThat(group.failsOver(0)).isTrue();
        assertThat(group.failsOver(408)).isTrue();
        assertThat(group.failsOver(500)).isTrue();
        assertThat(group.failsOver(486)).isFalse();
    }

    @Test
    void rewritesTheHostWhereConfigured() {
        SipUri uri = SipUri.parse("sip:+358401234@example.org:5070;user=phone");
        NextHopGroup plain = group("members: [{uri: 'sip:192.0.2.9:5062;transport=tcp'}]");
        assertThat(plain.uriFor(uri, 0)).isEqualTo(uri);
        NextHopGroup rewriting = group("rewrite-host: true\nmembers: [{uri: 'sip:192.0.2.9:5062;transport=tcp'}]");
        assertThat(rewriting.uriFor(uri, 0)).hasToString("sip:+358401234@192.0.2.9:5062;user=phone");
    }
}
