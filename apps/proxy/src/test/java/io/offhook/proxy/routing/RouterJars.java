package io.offhook.proxy.routing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Makes jars of routers from classes of the tests. */
final class RouterJars {
    private RouterJars() {}

    static Path write(Path jar, Class<?>... routers) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            StringBuilder services = new StringBuilder();
            for (Class<?> router : routers) {
                String name = router.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream bytes =
                        Objects.requireNonNull(router.getClassLoader().getResourceAsStream(name))) {
                    bytes.transferTo(out);
                }
                services.append(router.getName()).append('\n');
            }
            out.putNextEntry(new JarEntry("META-INF/services/" + CallRouter.class.getName()));
            out.write(services.toString().getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }
}
