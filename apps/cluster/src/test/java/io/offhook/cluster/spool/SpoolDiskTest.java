package io.offhook.cluster.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.offhook.testkit.peers.SmallDisk;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(900)
class SpoolDiskTest {
    @TempDir
    Path folder;

    @Test
    void aFullDiskIsCountedAndAnnouncedAndNothingThatWasKeptIsLost() throws Exception {
        assumeThat(SmallDisk.isPossible()).isTrue();
        assertThat(SmallDisk.run(SmallDiskMain.class, folder)).matches("ok \\d{5} kept");
    }
}
