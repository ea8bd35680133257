package io.offhook.proxy.control;

import io.offhook.proxy.line.JsonLine;
import io.offhook.proxy.statistics.GroupFigure;
import io.offhook.proxy.statistics.MemberFigure;
import io.offhook.proxy.statistics.ProxyStatistics;
import java.io.IOException;

/** {@code groups}: the groups of next hops with the state of each member, an object for each group. */
public final class GroupsCommand implements ControlCommand {
    private final ProxyStatistics statistics;

    /** Shows the groups of these statistics. */
    public GroupsCommand(ProxyStatistics statistics) {
        this.statistics = statistics;
    }

    @Override
    public String name() {
        return "groups";
    }

    @Override
    public void run(ControlRequest request, ControlAnswer answer) throws IOException {
        if (!request.words().isEmpty()) {
            throw new ControlException("groups takes no words");
        }
        for (GroupFigure group : statistics.groups()) {
            JsonLine json = answer.line().object();
            json.field("group", group.name())
                    .field("failovers", group.failovers())
                    .field("lastResorts", group.lastResorts())
                    .field("exhausted", group.exhausted())
                    .array("members");
            group.members().forEach(member -> write(json.object(), member));
            json.end().end();
            answer.send();
        }
    }

    private static void write(JsonLine json, MemberFigure member) {
        json.field("uri", member.uri())
                .field("state", member.state())
                .field("weight", member.weight())
                .field("priority", member.priority());
        if (member.untilMs() == 0) {
            json.field("untilMs", (String) null);
        } else {
            json.field("untilMs", member.untilMs());
        }
        MemberFigure.Options options = member.options();
        json.field("isAsked", options != null)
                .field("optionsSent", options == null ? 0 : options.sent())
                .field("optionsFailed", options == null ? 0 : options.failed());
        if (options == null || options.lastStatus() < 0) {
            json.field("lastStatus", (String) null);
        } else {
            json.field("lastStatus", options.lastStatus());
        }
        json.end();
    }
}
