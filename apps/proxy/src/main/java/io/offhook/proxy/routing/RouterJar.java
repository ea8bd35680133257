package io.offhook.proxy.routing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A {@link CallRouter} out of a jar, with its class loader. It is closed when its owner and the last request have released it.
 */
final class RouterJar {
    private final Path copy;
    private final URLClassLoader loader;
    private final CallRouter router;
    /** The owner and the requests that use it. */
    private final AtomicInteger users = new AtomicInteger(1);

    private RouterJar(Path copy, URLClassLoader loader, CallRouter router) {
        this.copy = copy;
        this.loader = loader;
        this.router = router;
    }

    /**
     * Loads the router of a jar. The jar is copied first: a class loader reads it whenever a class is needed, and fails if the
     * file has changed since.
     *
     * @throws RouterException if the jar cannot be read, has no router or more than one, or if its constructor fails
     */
    static RouterJar load(Path jar) {
        @Nullable Path copy = null;
        @Nullable URLClassLoader loader = null;
        try {
            copy = Files.createTempFile("offhook-router-", ".jar");
            Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING);
            loader = new JarFirst(copy.toUri().toURL());
            return new RouterJar(copy, loader, only(jar, loader));
        } catch (IOException e) {
            discard(copy, loader);
            throw new RouterException("the router in " + jar + " cannot be read: " + e.getMessage(), e);
        } catch (ServiceConfigurationError | LinkageError e) {
            discard(copy, loader);
            throw new RouterException("the router in " + jar + " cannot be loaded: " + e.getMessage(), e);
        } catch (RouterException e) {
            discard(copy, loader);
            throw e;
        }
    }

    private static CallRouter only(Path jar, ClassLoader loader) {
        List<ServiceLoader.Provider<CallRouter>> found = ServiceLoader.load(CallRouter.class, loader).stream()
                .filter(provider -> loader.equals(provider.type().getClassLoader()))
                .toList();
        if (found.size() != 1) {
            throw new RouterException(
                    jar + " has " + found.size() + " services " + CallRouter.class.getName()
                            + " in META-INF/services; exactly one is needed",
                    null);
        }
        return found.getFirst().get();
    }

    /** @return false if it has been closed */
    boolean use() {
        for (int before = users.get(); before > 0; before = users.get()) {
            if (users.compareAndSet(before, before + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Releases what {@link #use}, or the owner, held. */
    void release() {
        if (users.decrementAndGet() == 0) {
            if (router instanceof AutoCloseable closeable) {
                close(closeable);
            }
            discard(copy, loader);
        }
    }

    /** What a user's code throws while it is thrown away changes nothing. */
    private static void close(AutoCloseable router) {
        try {
            router.close();
        } catch (Exception _) {
            return;
        }
    }

    private static void discard(@Nullable Path copy, @Nullable URLClassLoader loader) {
        try {
            if (loader != null) {
                loader.close();
            }
            if (copy != null) {
                Files.deleteIfExists(copy);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    CallRouter router() {
        return router;
    }

    /** Classes of the jar come first, but for those that it shares with the proxy. */
    private static final class JarFirst extends URLClassLoader {
        private static final List<String> SHARED =
                List.of("java.", "io.offhook.proxy.routing.", "io.offhook.sip.", "io.offhook.packet.", "org.jspecify.");

        JarFirst(URL jar) {
            super(new URL[] {jar}, CallRouter.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (SHARED.stream().anyMatch(name::startsWith)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                if (found == null) {
                    try {
                        found = findClass(name);
                    } catch (ClassNotFoundException e) {
                        return super.loadClass(name, resolve);
                    }
                }
                if (resolve) {
                    resolveClass(found);
                }
                return found;
            }
        }
    }
}
