/**
 * An application that a YAML file describes: {@link io.offhook.forward.application.ForwardConfig} is the file, checked
 * as a whole, {@link io.offhook.forward.application.ForwardApplication} opens ports, makes lanes and stages of it, and
 * exchanges tables while it runs.
 */
@NullMarked
package io.offhook.forward.application;

import org.jspecify.annotations.NullMarked;
