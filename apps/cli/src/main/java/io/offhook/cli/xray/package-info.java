/**
 * {@code offhook threads PROCESS --calls -i NAME}: what a SIP process did between a message that came in and what it sent for it.
 * {@link io.offhook.cli.xray.GapFinder} pairs the messages, {@link io.offhook.monitor.XrayWatch} sees what the process does, and
 * {@link io.offhook.cli.xray.XrayRun} joins both into totals, tables, ladders and JSON.
 */
@NullMarked
package io.offhook.cli.xray;

import org.jspecify.annotations.NullMarked;
