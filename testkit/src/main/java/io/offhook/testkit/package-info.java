/**
 * Traffic with known truth, for tests.
 *
 * <p>{@link io.offhook.testkit.Traffic} takes calls ({@link io.offhook.testkit.CallPlan}) and other traffic, writes each
 * packet through a {@link io.offhook.testkit.Tap} into the {@link io.offhook.testkit.Recorder}, counts while it writes, and
 * gives a {@link io.offhook.testkit.Capture}: the file's bytes and the {@link io.offhook.testkit.Truth} about them.
 * {@link io.offhook.testkit.Scenarios} has ready-made traffic by name. The lower parts ({@link io.offhook.testkit.Ip},
 * {@link io.offhook.testkit.Transports}, {@link io.offhook.testkit.Link}, {@link io.offhook.testkit.TcpConnection},
 * {@link io.offhook.testkit.CaptureWriter}...) serve tests of single layers.
 */
@NullMarked
package io.offhook.testkit;

import org.jspecify.annotations.NullMarked;
