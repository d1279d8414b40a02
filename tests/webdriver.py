"""A browser for tests: Debian's chromium by its chromedriver (W3C WebDriver), without a package of Python's.

    with Browser(scratch) as browser:
        browser.open("/tmp/a.svg")
        browser.run("return document.title")
        browser.click("rect"); browser.press("/main")
        browser.errors(); browser.requests()
"""
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that the standard gives an element's id
CHROMIUM = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--window-size=1400,1000", "about:blank"]


def missing():
    """What the browser lacks here, or None."""
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return "no " + program
    return None


class Browser:
    def __init__(self, folder, dark=False):
        self.folder, self.dark = folder, dark
        self.url = None

    def __enter__(self):
        # Port 0: chromedriver takes a free one and says which.
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = line.strip().rstrip(".").rsplit(" ", 1)[1]
                break
        if not port:
            sys.exit("chromedriver did not start")
        self.base = "http://127.0.0.1:%s" % port
        profile = os.path.join(self.folder, "chromium-%d" % os.getpid())
        options = {"binary": shutil.which("chromium"), "args": CHROMIUM + ["--user-data-dir=" + profile]}
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.base += "/session/" + answer["sessionId"]
        self.devtools("Emulation.setEmulatedMedia",
                      {"features": [{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}]})
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            sys.exit("%s %s: %s" % (method, path, json.load(error)["value"]["message"]))

    def devtools(self, command, parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path):
        self.url = "file://" + path
        self.call("POST", "/url", {"url": self.url})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call("POST", "/element/%s/click" % self.find(selector), {})

    def press(self, keys):
        """Keys one after another, to whatever has the focus."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def print(self):
        """The page as PDF, in base64, which is not empty."""
        return self.call("POST", "/print", {})

    def wait(self, script, seconds=10):
        """Until the script returns what is true; its last answer."""
        end = time.monotonic() + seconds
        while not (answer := self.run(script)) and time.monotonic() < end:
            time.sleep(0.05)
        return answer

    def errors(self):
        """What the console said, whatever its level."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that the page asked for, its own aside. (The browser's first page asks for its own things.)"""
        entries = [json.loads(entry["message"])["message"] for entry in self.call("POST", "/se/log", {"type": "performance"})]
        sent = [entry["params"] for entry in entries if entry["method"] == "Network.requestWillBeSent"]
        return [one["request"]["url"] for one in sent if one["documentURL"] == self.url and one["request"]["url"] != self.url]
