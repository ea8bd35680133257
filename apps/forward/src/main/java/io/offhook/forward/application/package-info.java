/**
 * An application that a YAML file describes. {@link io.offhook.forward.application.ForwardConfig} is the file, checked
 * as a whole; {@link io.offhook.forward.application.ForwardApplication} opens its ports, creates its lanes and stages,
 * and replaces tables while it runs.
 */
@NullMarked
package io.offhook.forward.application;

import org.jspecify.annotations.NullMarked;
