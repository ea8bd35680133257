package io.offhook.web.http;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page, and of the libraries that it uses, out of the jars. Only names of letters, digits, dots, hyphens and
 * underscores are looked for, below two folders; no path of a request reaches the file system.
 */
public final class PageFiles implements HttpService {
    private static final String PAGE = "/io/offhook/web/page/";
    private static final String LIBRARIES = "/META-INF/resources/webjars/";
    private static final Pattern NAME =
            Pattern.compile("(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*");
    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

    /** The paths that programs ask for. */
    private static final Pattern PROGRAMS = Pattern.compile("^/(?:api|metrics|health)(?:/|$)");

    /** The paths that the page itself interprets. */
    private static final List<String> VIEWS =
            List.of("/", "/calls/{id}", "/streams", "/registrations", "/registrations/{id}", "/statistics", "/system");

    /** The libraries with the versions in their jars. */
    private static final Map<String, String> VERSIONS = Map.of(
            "lit", "3.3.1",
            "lit__reactive-element", "2.1.2",
            "lit-element", "4.2.2",
            "lit-html", "3.3.2",
            "chart.js", "4.5.1",
            "kurkle__color", "0.3.4");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon");

    private final Map<String, File> files = new ConcurrentHashMap<>();
    private final File index;
    private final File notFound;

    /** A file and the name of its content. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record File(byte[] content, String type, String tag) {}

    /** Reads the page's first file. */
    public PageFiles() {
        index = present("index.html");
        notFound = present("not-found.html");
    }

    private static File present(String name) {
        File found = read(PAGE + name);
        if (found == null) {
            throw new IllegalStateException(name + " is missing from the jar");
        }
        return found;
    }

    /**
     * Answers that nothing is at an address, in words for whoever looks at it.
     *
     * @return false, without an answer, if the address is one of programs, which are answered in JSON
     */
    public boolean sendNotFound(ServerRequest request, ServerResponse response) {
        if (PROGRAMS.matcher(request.path().absolute().path()).find()) {
            return false;
        }
        response.status(404);
        response.header("Content-Type", notFound.type());
        response.header("Cache-Control", "no-store");
        response.send(notFound.content());
        return true;
    }

    /** The one script that stands in the page itself, as a source that a Content-Security-Policy allows. */
    public String importMapSource() {
        Matcher map = IMPORT_MAP.matcher(new String(index.content(), StandardCharsets.UTF_8));
        if (!map.find()) {
            throw new IllegalStateException("index.html has no import map");
        }
        return "'sha256-"
                + Base64.getEncoder().encodeToString(sha256(map.group(1).getBytes(StandardCharsets.UTF_8))) + "'";
    }

    @Override
    public void routing(HttpRules rules) {
        for (String view : VIEWS) {
            rules.get(view, (request, response) -> send(index, request, response));
        }
        rules.get("/page/*", (request, response) -> send(PAGE, rest(request, "/page/"), request, response));
        rules.get("/lib/*", (request, response) -> {
            String path = rest(request, "/lib/");
            int slash = path.indexOf('/');
            String version = slash < 0 ? null : VERSIONS.get(path.substring(0, slash));
            if (version == null) {
                throw new BadRequestException(404, "there is no such file");
            }
            send(LIBRARIES, path.substring(0, slash) + '/' + version + path.substring(slash), request, response);
        });
    }

    private static String rest(ServerRequest request, String prefix) {
        String path = request.path().path();
        return path.startsWith(prefix) ? path.substring(prefix.length()) : "";
    }

    private void send(String folder, String name, ServerRequest request, ServerResponse response) {
        File file = NAME.matcher(name).matches() ? files.get(folder + name) : null;
        if (file == null && NAME.matcher(name).matches()) {
            file = read(folder + name);
            if (file != null) {
                files.put(folder + name, file); // as many as there are files in the jars
            }
        }
        if (file == null) {
            throw new BadRequestException(404, "there is no such file");
        }
        send(file, request, response);
    }

    private static void send(File file, ServerRequest request, ServerResponse response) {
        response.header("ETag", file.tag());
        response.header("Cache-Control", "no-cache"); // asks each time, and mostly gets 304
        String known = request.headers()
                .first(io.helidon.http.HeaderNames.IF_NONE_MATCH)
                .orElse("");
        if (known.equals(file.tag())) {
            response.status(304);
            response.send();
            return;
        }
        response.header("Content-Type", file.type());
        response.send(file.content());
    }

    private static @Nullable File read(String resource) {
        String type = TYPES.get(resource.substring(resource.lastIndexOf('.') + 1));
        if (type == null) {
            return null;
        }
        try (InputStream in = PageFiles.class.getResourceAsStream(resource)) {
            if (in == null) {
                return null;
            }
            byte[] content = in.readAllBytes();
            String tag = '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(content)) + '"';
            return new File(content, type, tag);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource + " in the jar", e);
        }
    }

    private static byte[] sha256(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
