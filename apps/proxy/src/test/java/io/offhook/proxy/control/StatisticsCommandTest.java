package io.offhook.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.statistics.LaneStatistics;
import io.offhook.proxy.statistics.MessageWay;
import io.offhook.proxy.statistics.ProxyStatistics;
import io.offhook.proxy.statistics.SocketFigure;
import io.offhook.sip.SipMethod;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatisticsCommandTest {
    private final ProxyStatistics statistics = new ProxyStatistics(1, 64, InstantSource.system());

    @AfterEach
    void close() {
        statistics.close();
    }

    private String answer(String... words) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new StatisticsCommand(statistics).run(new ControlRequest("stats", List.of(words)), new ControlAnswer(out));
        return out.toString(StandardCharsets.UTF_8);
    }

    private void callToNowhere() {
        LaneStatistics lane = statistics.lane(0);
        Endpoint hop = Endpoint.of("192.0.2.2", 5080);
        int row = lane.neighbours().row(hop.high(), hop.low(), hop.port(), 0);
        lane.callBegan();
        lane.message(row, MessageWay.SENT, SipMethod.INVITE, 0);
        lane.message(row, MessageWay.SENT_AGAIN, SipMethod.INVITE, 0);
        lane.queueDelay(100_000);
    }

    @Test
    void showsEverythingInOneLine() throws Exception {
        callToNowhere();
        statistics.add(() -> List.of(new SocketFigure("udp 127.0.0.1:5070 lane 0", 8, 16, 1, 2, 3)));
        assertThat(answer())
                .contains("\"calls\":{\"attempts\":1,\"perSecond\":0,\"lastHour\":0,\"busiestHour\":0,"
                        + "\"states\":{\"trying\":1,\"ringing\":0,\"answered\":0,\"ending\":0}")
                .contains("{\"method\":\"INVITE\",\"status\":0,\"received\":0,\"receivedAgain\":0,\"sent\":1,"
                        + "\"sentAgain\":1}")
                .contains("\"queueDelay\":{\"count\":1,\"p50Us\":100.")
                .contains("{\"name\":\"udp 127.0.0.1:5070 lane 0\",\"receiveBufferAsked\":8,\"receiveBufferGiven\":16,"
                        + "\"receiveQueue\":1,\"sendQueue\":2,\"drops\":3}")
                .contains("\"collectors\":[{\"name\":")
                .contains("\"memory\":{\"used\":")
                .endsWith("}\n")
                .doesNotContain("\n{");
    }

    @Test
    void showsBetweenWhichTwoMessagesVanish() throws Exception {
        callToNowhere();
        assertThat(answer("messages"))
                .isEqualTo("{\"neighbour\":\"192.0.2.2:5080\",\"messages\":[{\"method\":\"INVITE\",\"status\":0,"
                        + "\"received\":0,\"receivedAgain\":0,\"sent\":1,\"sentAgain\":1}],\"losses\":[{"
                        + "\"lost\":\"request-or-response\",\"method\":\"INVITE\",\"again\":1,\"unrepaired\":1}]}\n");
    }

    @Test
    void takesNoOtherWord() {
        assertThatThrownBy(() -> answer("all")).hasMessage("stats takes no word but messages");
    }
}
