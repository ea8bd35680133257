package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.linux.LinuxException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class InterfacesCommandTest {
    @Test
    void listsTheLoopback() {
        Offhook.Result result = Offhook.run("interfaces");
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
        assertThat(result.out()).startsWith("Interface").contains("\nlo ");
    }

    @Test
    void printsJson() {
        String out = Offhook.run("interfaces", "--format", "json").out();
        assertThat(out)
                .startsWith("{\"interfaces\":[\n{\"name\":\"lo\",\"index\":1,\"state\":")
                .contains("\"speedMbps\":null,\"linkAddress\":\"00:00:00:00:00:00\",\"addresses\":[")
                .contains("\"backends\":[{\"name\":\"afpacket\",\"usable\":");
    }

    @Test
    void printsCsv() {
        List<String> lines =
                Offhook.run("interfaces", "--format=csv").out().lines().toList();
        assertThat(lines.getFirst()).isEqualTo(String.join(",", InterfacesCommand.COLUMNS));
        assertThat(lines.get(1)).startsWith("lo,1,");
    }

    @Test
    void saysThatItIsTheKernelThatRefuses() {
        InterfacesCommand command = new InterfacesCommand(() -> {
            throw new LinuxException("netlink socket", LinuxException.EPERM);
        });
        Terminal terminal = new Offhook().terminal(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        CommandSpec spec = new CommandSpec("offhook interfaces", "");
        command.describe(spec);
        assertThatThrownBy(() -> command.run(ParseResult.of(spec, new String[0]), terminal))
                .isInstanceOf(MisuseException.class)
                .hasMessageStartingWith("the kernel does not list the interfaces: netlink socket: EPERM");
    }

    @Test
    void takesNoArguments() {
        assertThat(Offhook.run("interfaces", "eth0").code()).isEqualTo(ExitCode.MISUSE);
    }
}
