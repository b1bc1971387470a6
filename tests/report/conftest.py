"""The page of a committed run, and a browser for the tests of it."""

import shutil

import pytest
from runs import copied

from ecoc_bench.report.write import write_page
from ecoc_bench.results.run import Run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")


@pytest.fixture(scope="session")
def svm(tmp_path_factory):
    """The page of a copy of a committed run, with its figures beside it."""
    return write_page(Run(copied("uci_svm", tmp_path_factory.mktemp("svm"))))


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium that writes down what it logs and what it asks for."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if not (CHROMIUM and DRIVER):
        pytest.skip("chromium and chromedriver are not both installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def look(browser):
    """Opens a page in a window of that width and colour scheme."""

    def show(page, width=1280, scheme="light"):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        # A page that scrolls smoothly is still on its way when the driver clicks.
        media = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in media.items()]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.get_log("browser")
        browser.get_log("performance")
        browser.get(page.as_uri())
        return browser

    return show
