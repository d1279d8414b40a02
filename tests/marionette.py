"""Firefox for tests: Debian's firefox-esr by Marionette, the protocol that geckodriver speaks to it, without a package of Python's.

Looks like webdriver.py's Browser. A message is its length, a colon, and JSON: [0, id, command, parameters] there, [1, id, error, result] back.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from webdriver import Browser

# Nothing at random, no first steps, no calls home; port 0: a free one, which Firefox writes into its profile.
PREFERENCES = {
    "marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False, "app.normandy.enabled": False, "browser.newtabpage.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False, "app.update.enabled": False,
    "browser.safebrowsing.downloads.remote.enabled": False, "services.settings.server": "http://127.0.0.1:9/",
    "browser.startup.homepage_override.mstone": "ignore", "browser.startup.page": 0,
}
COMMANDS = {"/url": "Navigate", "/execute/sync": "ExecuteScript", "/element": "FindElement", "/actions": "PerformActions", "/print": "Print"}
# Run where the browser's own code is: what pages ask for is kept by address of the page, from here on.
WATCH = """
  const seen = Services.ppmm.cprofSeen = [];
  Services.obs.addObserver(subject => {
    const channel = subject.QueryInterface(Ci.nsIChannel), page = channel.loadInfo.loadingPrincipal;
    if (page) seen.push([page.URI ? page.URI.spec : page.origin, channel.URI.spec]);
  }, "http-on-modify-request");
  Services.console.reset();"""
ERRORS = """
  return Services.console.getMessageArray().map(m => { try { return m.QueryInterface(Ci.nsIScriptError); } catch (e) { return null; } })
    .filter(m => m && m.sourceName.startsWith(arguments[0])).map(m => m.errorMessage);"""


def missing():
    """What it lacks here, or None."""
    return None if shutil.which("firefox-esr") else "no firefox-esr"


class Firefox(Browser):
    def __enter__(self):
        profile = tempfile.mkdtemp(dir=self.folder)
        preferences = dict(PREFERENCES, **{"layout.css.prefers-color-scheme.content-override": 0 if self.dark else 1})
        with open(profile + "/user.js", "w") as file:
            for name, value in preferences.items():
                file.write("user_pref(%s, %s);\n" % (json.dumps(name), json.dumps(value)))
        environment = dict(os.environ, HOME=profile, MOZ_CRASHREPORTER_DISABLE="1")
        self.driver = subprocess.Popen(["firefox-esr", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile, "--width", "1400",
                                        "--height", "1000", "about:blank"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket, self.last = self.connect(profile + "/MarionetteActivePort"), 0
        self.receive()  # who it is
        self.send("WebDriver:NewSession", {})
        self.in_chrome(WATCH)
        return self

    def connect(self, path):
        """The port's file comes to be, and then to be filled."""
        end = time.monotonic() + 60
        while time.monotonic() < end and self.driver.poll() is None:
            try:
                with open(path) as file:
                    return socket.create_connection(("127.0.0.1", int(file.read())), 60)
            except (OSError, ValueError):
                time.sleep(0.05)
        self.driver.kill()
        return sys.exit("firefox-esr did not start")

    def __exit__(self, *_):
        try:
            self.send("Marionette:Quit", {"flags": ["eForceQuit"]})
            self.driver.wait(30)
        finally:
            self.socket.close()
            if self.driver.poll() is None:
                self.driver.kill()
                self.driver.wait()

    def receive(self):
        size = b""
        while not size.endswith(b":"):
            size += self.socket.recv(1) or sys.exit("firefox-esr is gone")
        text, left = b"", int(size[:-1])
        while len(text) < left:
            text += self.socket.recv(left - len(text)) or sys.exit("firefox-esr is gone")
        return json.loads(text)

    def send(self, command, parameters):
        self.last += 1
        text = json.dumps([0, self.last, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        if error:
            sys.exit("%s: %s" % (command, error.get("message")))
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def call(self, method, path, body=None):
        if path in COMMANDS:
            return self.send("WebDriver:" + COMMANDS[path], body)
        return self.send("WebDriver:ElementClick", {"id": path.split("/")[2]})  # /element/ID/click

    def in_chrome(self, script, *arguments):
        self.send("Marionette:SetContext", {"value": "chrome"})
        answer = self.send("WebDriver:ExecuteScript", {"script": script, "args": list(arguments)})
        self.send("Marionette:SetContext", {"value": "content"})
        return answer

    def errors(self):
        return self.in_chrome(ERRORS, self.url)

    def requests(self):
        return [request for page, request in self.in_chrome("return Services.ppmm.cprofSeen") if page == self.url]
