package io.offhook.proxy.health;

import io.offhook.proxy.routing.GroupConfig;
import io.offhook.proxy.routing.GroupHealth;
import io.offhook.proxy.routing.NextHopGroup;
import io.offhook.proxy.statistics.GroupFigure;
import io.offhook.proxy.statistics.MemberFigure;
import java.util.ArrayList;
import java.util.List;

/** What is shown of groups. */
public final class GroupFigures {
    private GroupFigures() {}

    /** The figures of groups at a time of day, in ms. */
    public static List<GroupFigure> of(List<NextHopGroup> groups, long nowMs) {
        return groups.stream().map(group -> of(group, nowMs)).toList();
    }

    private static GroupFigure of(NextHopGroup group, long nowMs) {
        List<MemberFigure> members = new ArrayList<>();
        GroupHealth health = group.health();
        boolean isAsked = group.config().health().options().intervalMs() > 0;
        for (int i = 0; i < group.config().members().size(); i++) {
            GroupConfig.Member member = group.config().members().get(i);
            GroupHealth.Questions questions = health.questions(i);
            members.add(new MemberFigure(
                    member.uri().toString(),
                    member.weight(),
                    member.priority(),
                    health.state(i, nowMs).word(),
                    health.endMs(i, nowMs),
                    isAsked
                            ? new MemberFigure.Options(questions.sent(), questions.failed(), questions.lastStatus())
                            : null));
        }
        return new GroupFigure(group.name(), group.failovers(), group.lastResorts(), group.exhausted(), members);
    }
}
