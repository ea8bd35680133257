package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mistake in the machine of media costs the packet that it happens at, and no other. */
class FailedMediaTest {
    private static final Flow GOOD = Flow.of("10.1.0.1:4000", "10.1.0.2:5000", 1);

    @Test
    void countsThePacketAndGoesOn() {
        StreamTable table =
                new StreamTable(new MediaBindings(), MediaOptions.DEFAULT, 4096, 1 << 15, new PacketLog.Room(0));
        RtpRows rows = new RtpRows();
        for (int number = 0; number < 30; number++) {
            GOOD.addTo(rows, number, Scene.START_NS + number * 20L * Scene.MS, number + 1);
            if (number % 10 == 5) {
                // an IPv6 packet whose addresses are nowhere: reading them throws
                long arrivalNs = Scene.START_NS + number * 20L * Scene.MS + 1;
                int row = rows.add(arrivalNs, 100 + number, 0, 0, RtpRows.lengthsOfIpv6(160, 172));
                rows.ipv4(row, 77, 1L << 20, 5);
            }
        }
        table.accept(rows);
        assertThat(table.streams())
                .singleElement()
                .satisfies(stream -> assertThat(stream.statistics().packets()).isEqualTo(30));
        assertThat(table.failedPackets().count()).isEqualTo(3);
        assertThat(table.failedPackets().firstFrame()).isEqualTo(105);
        assertThat(table.failedPackets().lastFrame()).isEqualTo(125);
        assertThat(table.failedPackets().firstNs()).isEqualTo(Scene.START_NS + 5 * 20L * Scene.MS + 1);
        assertThat(table.defect()).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @SuppressWarnings("NullAway") // what fails is meant to
    void aStreamThatCannotBeReportedCostsNoOther(boolean heuristic) {
        Scene scene = new Scene().talk(200, GOOD, Flow.of("10.1.0.3:4000", "10.1.0.4:5000", 2));
        assertThat(scene.reports().streams()).hasSize(2);
        scene.assembly().captureLost(null, null);
        CallReports reports = CallReports.of(scene.assembly(), Scene.START_NS + Scene.SECOND, heuristic, true);
        assertThat(reports.streams()).isEmpty();
        assertThat(reports.failedReports().count()).isEqualTo(heuristic ? 2 : 0);
    }
}
