package io.offhook.calls.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.relay.SharedMedia;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CandidatesTest {
    private static final Endpoint PHONE = Endpoint.ofIpv4(0x0a010001, 5060);
    private static final Endpoint SWITCH = Endpoint.ofIpv4(0x0a020001, 5060);
    private static final Endpoint TRUNK = Endpoint.ofIpv4(0x0a030001, 5060);

    /** As a generator of load makes them: one user, one media address, one host in between. */
    private static List<DialogFacts> load(int calls) {
        List<DialogFacts> dialogs = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            long ns = i * 1_000_000L;
            DialogFacts.Course course =
                    new DialogFacts.Course(ns, ns + 500_000_000, ns + 60_000_000_000L, ns + 60_000_000_000L, 0, true);
            Endpoint media = Endpoint.ofIpv4(0x0a010001, 6000);
            boolean isIn = i % 2 == 0;
            Endpoint to = isIn ? SWITCH : TRUNK;
            dialogs.add(new DialogFacts(
                    "call-" + i,
                    i + 1,
                    new DialogEvidence(),
                    course,
                    DialogFacts.Users.of("1001", "1002"),
                    new DialogFacts.Way(isIn ? PHONE : SWITCH, to, List.of(to), List.of(media))));
        }
        return dialogs;
    }

    private static long pairs(List<DialogFacts> dialogs) {
        Map<String, Integer> byCallId = new HashMap<>();
        long[] count = new long[1];
        new Candidates(dialogs, byCallId, Set.of(), SharedMedia.NONE).forEach((earlier, later) -> count[0]++);
        return count[0];
    }

    @Test
    void comparesEachOfManyAlikeWithAFewOthers() {
        long few = pairs(load(2_000));
        long many = pairs(load(200_000));

        assertThat(few).isPositive();
        assertThat(many).isLessThanOrEqualTo(16L * 200_000);
    }

    @Test
    void joinsNoneOf200000CallsOfALoadTest() {
        JoinedDialogs joined = DialogJoiner.join(load(200_000), SharedMedia.NONE);

        for (int i = 0; i < 200_000; i++) {
            assertThat(joined.root(i)).isEqualTo(i);
        }
        assertThat(joined.refused()).isEmpty();
    }
}
