package io.offhook.analysis.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.testkit.peers.SmallDisk;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A disk of 24 MB in a mount namespace, which is full for a while. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class FullDiskTest {
    @TempDir
    private Path folder;

    @Test
    void theLossIsCountedAndKeepingGoesOnWhenThereIsRoom() throws Exception {
        assumeTrue(SmallDisk.isPossible(), "needs root and unshare");
        String printed = SmallDisk.run(FullDiskMain.class, folder);
        String[] words = printed.split(" ", 5);
        long given = Long.parseLong(words[0]);
        long written = Long.parseLong(words[1]);
        long lost = Long.parseLong(words[2]);
        assertThat(written + lost).isEqualTo(given);
        assertThat(lost).isGreaterThanOrEqualTo(200);
        assertThat(written).isGreaterThan(300);
        assertThat(Long.parseLong(words[3])).isEqualTo(written);
        assertThat(words[4]).contains("space");
    }
}
