package io.offhook.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** Chromium without a window, with a fresh profile. */
final class Browser implements AutoCloseable {
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SCREENSHOTS = Path.of("target/screenshots");
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    static boolean isMissing() {
        return !Files.isExecutable(DRIVER) || Program.isMissing("chromium", "--version");
    }

    static Browser start() {
        ChromeOptions options = new ChromeOptions();
        options.setBinary("/usr/bin/chromium");
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio");
        options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.width(1400);
        return browser;
    }

    void width(int pixels) {
        driver.manage().window().setSize(new Dimension(pixels, 900));
    }

    void open(String address) {
        driver.get(address);
    }

    String address() {
        return String.valueOf(driver.getCurrentUrl());
    }

    /** Opens a tab, and looks at it. */
    String newTab() {
        driver.switchTo().newWindow(WindowType.TAB);
        return driver.getWindowHandle();
    }

    /** Closes a tab, and looks at another. */
    void closeTab(String tab) {
        driver.switchTo().window(tab).close();
        driver.switchTo().window(driver.getWindowHandles().iterator().next());
    }

    void back() {
        driver.navigate().back();
    }

    /** Waits until something is so. */
    void await(String what, BooleanSupplier condition) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (true) {
            try {
                if (condition.getAsBoolean()) {
                    return;
                }
            } catch (StaleElementReferenceException _) {
                // the page was drawn anew meanwhile
            }
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("not so in time: " + what + " at " + address());
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(Duration.ofMillis(50));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** Waits for an element. */
    WebElement one(String selector) {
        await(selector, () -> !all(selector).isEmpty());
        return all(selector).getFirst();
    }

    String text(String selector) {
        String[] text = {""};
        await(selector, () -> {
            text[0] = one(selector).getText();
            return true;
        });
        return text[0];
    }

    /** All text of an element, in view or not. */
    String content(String selector) {
        return String.valueOf(one(selector).getAttribute("textContent"));
    }

    void click(String selector) {
        await("a click on " + selector, () -> {
            one(selector).click();
            return true;
        });
    }

    void type(CharSequence... keys) {
        for (CharSequence key : keys) {
            new Actions(driver).sendKeys(key).perform();
        }
    }

    void type(Keys key, int times) {
        for (int i = 0; i < times; i++) {
            type(key);
        }
    }

    @Nullable
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Runs a script whose last argument is a function that it calls with the result. */
    @Nullable
    Object runUntilDone(String script) {
        return driver.executeAsyncScript(script);
    }

    boolean is(String expression, Object... arguments) {
        return Boolean.TRUE.equals(run("return Boolean(" + expression + ")", arguments));
    }

    /** Runs a script in each page, before those of the page. */
    void beforeEachPage(String script) {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
    }

    /** Keeps a picture of the page as it is, in target/screenshots. */
    void picture(String name) throws IOException {
        Files.createDirectories(SCREENSHOTS);
        Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }

    /** The page is no wider than the window: what is wider scrolls by itself. */
    void fits() {
        await("a page as wide as the window", () -> is("document.documentElement.scrollWidth <= innerWidth"));
    }

    /** axe-core finds nothing serious on the page as it is. */
    void isAccessible() throws IOException {
        try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
            run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        Object violations = runUntilDone("""
            const done = arguments[0];
            axe.run(document).then(result => done(result.violations
                .filter(violation => ['serious', 'critical'].includes(violation.impact))
                .map(violation => violation.id + ': ' + violation.nodes.map(node => node.html).join(' '))));
            """);
        assertThat((List<?>) violations).as(address()).isEmpty();
    }

    /** No script failed, and nothing was refused or missing. */
    void hadNoErrors() {
        assertThat(errors()).isEmpty();
    }

    /** What failed so far was meant to. */
    void forgetErrors() {
        errors();
    }

    /** Since the last time. */
    private List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= java.util.logging.Level.SEVERE.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
