/** The audio of calls: decoded, through a jitter buffer, on one axis of time. */
module io.offhook.audio {
    requires transitive io.offhook.analysis;
    requires concentus;
    requires static transitive org.jspecify;

    exports io.offhook.audio;
}
