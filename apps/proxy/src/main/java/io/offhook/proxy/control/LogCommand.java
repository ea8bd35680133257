package io.offhook.proxy.control;

import io.offhook.proxy.log.LogCategory;
import io.offhook.proxy.log.LogLevel;
import io.offhook.proxy.log.ProxyLog;
import io.offhook.proxy.log.ProxyLog.CategoryLevel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code log}, {@code log sip=debug dns=trace for 10 m}, {@code log all=warning}, {@code log reopen}: shows and sets levels,
 * opens the file again. Answers the levels in force.
 */
public final class LogCommand implements ControlCommand {
    private final ProxyLog log;
    private final Runnable reopenOthers;

    /** A category and its level, as asked. */
    private record Setting(LogCategory category, LogLevel level) {}

    /**
     * Shows and sets the levels of a log.
     *
     * @param log the log
     * @param reopenOthers opens other files of lines again, such as that of call records
     */
    public LogCommand(ProxyLog log, Runnable reopenOthers) {
        this.log = log;
        this.reopenOthers = reopenOthers;
    }

    @Override
    public String name() {
        return "log";
    }

    @Override
    public void run(ControlRequest request, ControlAnswer answer) throws IOException {
        List<String> words = request.words();
        if (words.equals(List.of("reopen"))) {
            log.reopen();
            reopenOthers.run();
        } else if (!words.isEmpty()) {
            set(words);
        }
        for (CategoryLevel level : log.levels()) {
            answer.line()
                    .object()
                    .field("category", level.category().word())
                    .field("level", level.level().word())
                    .field("returnsTo", level.lasting().word())
                    .field("secondsLeft", level.secondsLeft())
                    .end();
            answer.send();
        }
        answer.line()
                .object()
                .field("written", log.written())
                .field("dropped", log.dropped())
                .field("refused", log.refused())
                .field("lastFailure", log.lastFailure())
                .end();
        answer.send();
    }

    private void set(List<String> words) {
        List<Setting> settings = new ArrayList<>();
        for (String word : words.subList(0, Periods.at(words))) {
            settings.addAll(parse(word));
        }
        if (settings.isEmpty()) {
            throw new ControlException("log needs CATEGORY=LEVEL, such as sip=debug");
        }
        long seconds = Periods.seconds(words);
        if (Periods.at(words) < words.size() && (seconds < 1 || seconds > ProxyLog.MOST_SECONDS)) {
            throw new ControlException("a level may be set for 1 s to " + ProxyLog.MOST_SECONDS / 86_400 + " d");
        }
        for (Setting setting : settings) {
            if (seconds == 0) {
                log.level(setting.category(), setting.level());
            } else {
                log.level(setting.category(), setting.level(), seconds);
            }
        }
    }

    private static List<Setting> parse(String word) {
        int equals = word.indexOf('=');
        if (equals < 0) {
            throw new ControlException("\"" + word + "\" is not CATEGORY=LEVEL, such as sip=debug");
        }
        LogLevel level = LogLevel.of(word.substring(equals + 1));
        if (level == null) {
            throw new ControlException("\"" + word.substring(equals + 1) + "\" is no level; there are "
                    + Arrays.stream(LogLevel.values()).map(LogLevel::word).collect(Collectors.joining(", ")));
        }
        String name = word.substring(0, equals);
        if (name.equals("all")) {
            return Arrays.stream(LogCategory.values())
                    .map(category -> new Setting(category, level))
                    .toList();
        }
        LogCategory category = LogCategory.of(name);
        if (category == null) {
            throw new ControlException("\"" + name + "\" is no category; there are all, "
                    + Arrays.stream(LogCategory.values()).map(LogCategory::word).collect(Collectors.joining(", ")));
        }
        return List.of(new Setting(category, level));
    }
}
