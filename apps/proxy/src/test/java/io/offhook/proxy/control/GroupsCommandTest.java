package io.offhook.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.proxy.statistics.GroupFigure;
import io.offhook.proxy.statistics.MemberFigure;
import io.offhook.proxy.statistics.ProxyStatistics;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupsCommandTest {
    private final ProxyStatistics statistics = new ProxyStatistics(1, 64, InstantSource.system());

    @AfterEach
    void close() {
        statistics.close();
    }

    private String answer(String... words) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new GroupsCommand(statistics).run(new ControlRequest("groups", List.of(words)), new ControlAnswer(out));
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void showsEachGroupInALine() throws Exception {
        MemberFigure asked = new MemberFigure("sip:a", 2, 0, "down", 0, new MemberFigure.Options(9, 3, 503));
        MemberFigure waiting = new MemberFigure("sip:b", 1, 1, "back-off", 5000, null);
        statistics.groups(() -> List.of(
                new GroupFigure("one", 4, 5, 6, List.of(asked, waiting)), new GroupFigure("two", 0, 0, 0, List.of())));
        assertThat(answer())
                .isEqualTo("{\"group\":\"one\",\"failovers\":4,\"lastResorts\":5,\"exhausted\":6,\"members\":["
                        + "{\"uri\":\"sip:a\",\"state\":\"down\",\"weight\":2,\"priority\":0,\"untilMs\":null,"
                        + "\"isAsked\":true,\"optionsSent\":9,\"optionsFailed\":3,\"lastStatus\":503},"
                        + "{\"uri\":\"sip:b\",\"state\":\"back-off\",\"weight\":1,\"priority\":1,\"untilMs\":5000,"
                        + "\"isAsked\":false,\"optionsSent\":0,\"optionsFailed\":0,\"lastStatus\":null}]}\n"
                        + "{\"group\":\"two\",\"failovers\":0,\"lastResorts\":0,\"exhausted\":0,\"members\":[]}\n");
    }

    @Test
    void showsNothingOfAProxyWithoutGroups() throws Exception {
        assertThat(answer()).isEmpty();
        assertThatThrownBy(() -> answer("carrier")).hasMessage("groups takes no words");
    }
}
