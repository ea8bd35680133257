package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessesTest {
    @Test
    void findsAProgramByItsName() throws Exception {
        Process process = new ProcessBuilder("sleep", "61.5").start();
        try {
            assertThat(Processes.named("sleep")).contains(new Processes.Named(process.pid(), "sleep 61.5"));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void findsAJavaProgramByItsMainClassOrJar() {
        List<String> words = List.of("/usr/bin/java", "-Xmx1g", "-cp", "a.jar:b.jar", "org.example.Main", "other");
        assertThat(Processes.isCalled("Main", words)).isTrue();
        assertThat(Processes.isCalled("org.example.Main", words)).isTrue();
        assertThat(Processes.isCalled("java", words)).isTrue();
        assertThat(Processes.isCalled("other", words)).isFalse();
        List<String> jar = List.of("java", "-jar", "/opt/proxy/proxy-1.jar");
        assertThat(Processes.isCalled("proxy-1", jar)).isTrue();
        assertThat(Processes.isCalled("proxy-1.jar", jar)).isTrue();
        assertThat(Processes.isCalled("proxy", jar)).isFalse();
    }

    @Test
    void namesAJavaProgramWithoutTheOptionsOfJava() {
        assertThat(Processes.line(
                        List.of("/usr/bin/java", "-Xmx1g", "-cp", "a.jar", "org.example.Main", "one", "two"), "java"))
                .isEqualTo("java org.example.Main one two");
        assertThat(Processes.line(List.of("/bin/sleep", "60"), "sleep")).isEqualTo("/bin/sleep 60");
        assertThat(Processes.line(List.of(""), "kthreadd")).isEqualTo("kthreadd");
    }

    @Test
    void doesNotFindItself() {
        assertThat(Processes.named("java"))
                .noneMatch(process -> process.pid() == ProcessHandle.current().pid());
    }
}
