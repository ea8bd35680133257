/** What on a Linux machine would lose packets, and what to do about it; it only looks. */
module io.offhook.doctor {
    requires transitive io.offhook.linux;
    requires static transitive org.jspecify;

    exports io.offhook.doctor;
}
