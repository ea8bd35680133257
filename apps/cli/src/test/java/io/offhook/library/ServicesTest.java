package io.offhook.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a module provides, its {@code META-INF/services} names too, in the same order: the product runs on the class path,
 * programs of users on either.
 */
class ServicesTest {
    private static final Pattern PROVIDES = Pattern.compile("(?m)^\\s+provides ([\\w.]+) with\\s+([^;]+);");

    /** By service, its providers. */
    private static Map<String, List<String>> ofModule(Path module) throws IOException {
        Map<String, List<String>> providers = new TreeMap<>();
        Matcher provides = PROVIDES.matcher(Files.readString(Checkout.descriptor(module)));
        while (provides.find()) {
            List<String> names = Arrays.asList(provides.group(2).trim().split("\\s*,\\s*", -1));
            assertThat(providers.put(provides.group(1), names)).isNull();
        }
        return providers;
    }

    private static Map<String, List<String>> ofClassPath(Path module) throws IOException {
        Map<String, List<String>> providers = new TreeMap<>();
        Path services = module.resolve("src/main/resources/META-INF/services");
        if (Files.isDirectory(services)) {
            try (Stream<Path> files = Files.list(services)) {
                for (Path file : files.toList()) {
                    providers.put(file.getFileName().toString(), Files.readAllLines(file));
                }
            }
        }
        return providers;
    }

    @Test
    void modulesAndTheClassPathProvideTheSame() throws IOException {
        List<String> services = new ArrayList<>();
        for (Path module : Checkout.allModules()) {
            Map<String, List<String>> provided = ofModule(module);
            assertThat(ofClassPath(module))
                    .as(Checkout.ROOT.relativize(module).toString())
                    .isEqualTo(provided);
            services.addAll(provided.keySet());
        }
        assertThat(services)
                .contains(
                        "io.offhook.live.CaptureBackend",
                        "io.offhook.forward.application.StageType",
                        "io.offhook.forward.application.PortBackend");
    }
}
