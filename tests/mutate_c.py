"""Makes mutants of C as this project writes it: small wrong changes, never in comments, strings or declarations. For tests/mutants."""
import hashlib
import os
import re

TOKEN = re.compile(r'''
    (?P<space>\s+|//[^\n]*|/\*.*?\*/|\\\n)
  | (?P<hash>(?<=\n)[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<number>(?:0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)[uUlL]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
''', re.X | re.S)

TYPES = set('''const static struct enum union unsigned signed int char long short bool void float double register extern size_t
    ssize_t FILE Bool UInt Int ULong Long UChar Char HChar Addr SizeT ThreadId Double UShort regex_t json_t pid_t off_t'''.split())
WORDS = set('if else while for do switch case default return break continue goto sizeof'.split())
# What only gives memory back, or asks for it early, changes nothing that a test sees: sanitizers look for leaks.
NO_EFFECT = re.compile(r'\(void\)|(VG_\()?\w*(free|release|prefetch|json_decref|regfree|assert)\w*\)?\(')
DANGEROUS = re.compile(r'\b(kill|killpg|unlink|unlinkat|rmdir|remove|rename)\(')
OTHER = {'<': ['<=', '>='], '<=': ['<'], '>': ['>=', '<='], '>=': ['>'], '==': ['!='], '!=': ['=='], '&&': ['||'], '||': ['&&'],
         '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'], '<<': ['>>'], '>>': ['<<'], '&': ['|'], '|': ['&'], '^': ['&'],
         '+=': ['-=', '='], '-=': ['+='], '|=': ['=', '&='], '&=': ['='], '*=': ['='], '/=': ['*='], '<<=': ['>>='], '>>=': ['<<='],
         '++': ['--'], '--': ['++']}
UNARY_TOO = set('+-*&')
OPEN, CLOSE = '([{', ')]}'


class Odd(Exception):
    """A function that is written as this reader does not know it."""


class Token:
    def __init__(self, kind, text, at):
        self.kind, self.text, self.at, self.end = kind, text, at, at + len(text)


def tokens_of(text, start=0, end=None):
    found, at = [], start
    while at < (len(text) if end is None else end):
        m = TOKEN.match(text, at)
        if m.lastgroup not in ('space', 'hash'):
            found.append(Token(m.lastgroup, m.group(), at))
        at = m.end()
    return found


def functions_of(text):
    """(name, start of its head, start of its body, end) of each; a body's braces stand alone in the first column."""
    for m in re.finditer(r'^\{\n.*?^\}\n', text, re.S | re.M):
        head = text.rfind('\n\n', 0, m.start()) + 2
        head = max(head, text.rfind('*/', 0, m.start()) + 2, text.rfind('\n}\n', 0, m.start()) + 3)
        name = re.search(r'(\w+)\s*\(', re.sub(r'__attribute__\(\(.*?\)\)\)?', '', text[head:m.start()]))
        if name:
            yield name.group(1), head, m.start(), m.end()


def digest(*parts):
    return hashlib.sha256('\0'.join(parts).encode()).hexdigest()


def spelled(text):
    """A function's text without blanks and comments."""
    return ' '.join(t.text for t in tokens_of(text))


class Body:
    """Finds what can be changed in a function's body: self.found is (start, end, replacement)."""

    def __init__(self, text, start, end):
        self.text, self.t, self.found = text, tokens_of(text, start, end), []
        self.pair, stack = {}, []
        for i, t in enumerate(self.t):
            if t.kind == 'sign' and t.text in OPEN:
                stack.append(i)
            elif t.kind == 'sign' and t.text in CLOSE:
                if not stack:
                    raise Odd
                self.pair[stack[-1]] = i
                self.pair[i] = stack.pop()
        if stack or self.statement(0) != len(self.t):
            raise Odd

    def is_(self, i, text):
        return i < len(self.t) and self.t[i].text == text and self.t[i].kind != 'text'

    def replace(self, a, b, new):
        """Tokens a to b, without b."""
        self.found.append((self.t[a].at, self.t[b - 1].end, new))

    def find(self, i, stop, *texts):
        """The first of these signs from i on that no bracket encloses."""
        while i < stop and not (self.t[i].kind != 'text' and self.t[i].text in texts):
            i = self.pair[i] + 1 if self.t[i].kind == 'sign' and self.t[i].text in OPEN else i + 1
        return i

    def statement(self, i):
        if i >= len(self.t):
            raise Odd
        word = self.t[i].text
        if word == '{':
            end = self.pair[i]
            i += 1
            while i < end:
                i = self.statement(i)
            return end + 1
        if word in ('if', 'while', 'switch') or (self.t[i].kind == 'name' and word not in WORDS and self.is_(i + 1, '(')
                                                 and self.is_(self.pair[i + 1] + 1, '{')):
            close = self.pair[i + 1]
            self.expression(i + 2, close)
            if word in ('if', 'while'):
                self.replace(i + 2, close, '!(' + self.text[self.t[i + 2].at:self.t[close - 1].end] + ')')
            i = self.statement(close + 1)
            return self.statement(i + 1) if word == 'if' and self.is_(i, 'else') else i
        if word == 'for':
            close = self.pair[i + 1]
            first = self.find(i + 2, close, ';')
            second = self.find(first + 1, close, ';')
            self.simple(i + 2, first, False)
            self.expression(first + 1, second)
            self.expression(second + 1, close)
            return self.statement(close + 1)
        if word == 'do':
            i = self.statement(i + 1)
            close = self.pair[i + 1]
            self.expression(i + 2, close)
            return close + 2
        if word in ('case', 'default') or (self.t[i].kind == 'name' and self.is_(i + 1, ':')):
            return self.find(i, len(self.t), ':') + 1
        end = self.find(i, len(self.t), ';')
        if end >= len(self.t):
            raise Odd
        if word == 'return':
            self.expression(i + 1, end)
        elif word in ('break', 'continue'):
            self.replace(i, end, '')
        elif word not in ('goto', ';'):
            self.simple(i, end, True)
        return end + 1

    def is_declaration(self, i, end):
        t = self.t
        if t[i].text in TYPES or re.match(r'u?int(8|16|32|64|ptr)?_t$|__', t[i].text):
            return True
        k = i + 1
        while k < end and (t[k].text == '*' or t[k].text == 'const'):
            k += 1
        return t[i].kind == 'name' and k < end and t[k].kind == 'name' and (k + 1 >= end or t[k + 1].text in ('=', ',', '[', '('))

    def simple(self, i, end, may_drop):
        """A declaration, of which only what it begins with is looked at, or an expression."""
        if i >= end:
            return
        if self.is_declaration(i, end):
            if any(self.t[k].text in ('static', 'extern') for k in range(i, end)):
                return
            while i < end:
                equals = self.find(i, end, '=')
                i = self.find(equals, end, ',')
                self.expression(equals + 1, i)
                i += 1
            return
        self.expression(i, end)
        if may_drop and not NO_EFFECT.match(self.text[self.t[i].at:self.t[end].end].replace(' ', '')):
            self.replace(i, end, '')

    def is_binary(self, i):
        """Whether a sign that may also be unary stands between two operands."""
        before = self.t[i - 1]
        if before.text == ')':
            inside = self.t[self.pair[i - 1] + 1]
            return inside.text not in TYPES and not inside.text.endswith('_t')
        return before.text == ']' or before.kind == 'number' or (before.kind == 'name' and before.text not in WORDS)

    def expression(self, start, end):
        for i in range(start, end):
            t = self.t[i]
            if t.kind == 'number':
                self.number(i)
            elif t.kind == 'name' and t.text in ('true', 'false', 'True', 'False'):
                self.replace(i, i + 1, {'true': 'false', 'false': 'true', 'True': 'False', 'False': 'True'}[t.text])
            elif t.kind == 'sign' and t.text in OTHER:
                if t.text in UNARY_TOO and (i == start or not self.is_binary(i) or self.t[i + 1].text in ')*'):
                    continue
                for new in OTHER[t.text]:
                    self.replace(i, i + 1, new)
                if t.text in ('&&', '||'):
                    self.operands(i, start, end)
            elif t.kind == 'sign' and t.text == '(' and i > start and self.t[i - 1].kind == 'name' and self.t[i - 1].text not in WORDS:
                self.arguments(i)
            elif t.kind == 'sign' and t.text == '(' and i > start and self.t[i - 1].text == ')':
                self.arguments(i)

    def number(self, i):
        m = re.match(r'(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)$', self.t[i].text)
        # -1 is what fails: any other number below 0 would do.
        if m and not (self.is_(i - 1, '-') and not self.is_binary(i - 1)):
            value = int(m.group(1), 16 if m.group(1)[1:2] in ('x', 'X') else 10)
            for new in (value + 1, value - 1):
                if new >= 0:
                    self.replace(i, i + 1, str(new) + m.group(2))

    def operands(self, i, start, end):
        """Drops what stands left or right of && or ||."""
        stop = {'&&', '||', '?', ':', ',', ';', '=', '|=', '&='}
        right = self.find(i + 1, end, *stop)
        left = i - 1
        while left >= start and self.t[left].text not in stop and self.t[left].text not in OPEN:
            left = self.pair[left] - 1 if self.t[left].text in CLOSE and self.t[left].kind == 'sign' else left - 1
        while right > i + 1 and any(self.t[k].text in CLOSE and self.pair[k] < i for k in range(i + 1, right)):
            right -= 1
        self.replace(i, right, '')
        self.replace(left + 1, i + 1, '')

    def arguments(self, i):
        if re.search('alloc', self.t[i - 1].text + self.t[i - 2].text):
            return  # a number of items and their size are multiplied
        close, parts, a = self.pair[i], [], i + 1
        while a < close:
            b = self.find(a, close, ',')
            parts.append((a, b))
            a = b + 1
        for (a, b), (c, d) in zip(parts, parts[1:]):
            one, two = self.text[self.t[a].at:self.t[b - 1].end], self.text[self.t[c].at:self.t[d - 1].end]
            if one != two:
                self.replace(a, d, two + ', ' + one)


class Mutant:
    def __init__(self, file, text, function, change):
        self.file, self.text, self.function, self.change = file, text, function, change
        name, head, body, end = function
        start, stop, new = change
        self.line = text.count('\n', 0, start) + 1
        self.changed = text[:start] + new + text[stop:]
        self.key = digest(os.path.dirname(file), spelled(text[head:start] + new + text[stop:end]))[:16]
        low, high = text.rfind('\n', 0, start) + 1, text.find('\n', stop)
        self.what = '%s -> %s' % (' '.join(text[low:high].split()), ' '.join((text[low:start] + new + text[stop:high]).split()))

    def where(self):
        return '%s:%d %s' % (self.file, self.line, self.function[0])


def mutants_of(folders, top, seed, guarded):
    """All of these folders, in the order of the seed."""
    found = []
    for file in (os.path.join(folder, name) for folder in folders for name in sorted(os.listdir(os.path.join(top, folder)))):
        if not file.endswith('.c'):
            continue
        with open(os.path.join(top, file), encoding='utf-8') as f:
            text = f.read()
        for function in functions_of(text):
            if not guarded and DANGEROUS.search(text[function[2]:function[3]]):
                continue
            try:
                changes = Body(text, function[2], function[3]).found
            except (Odd, IndexError, KeyError):
                continue
            of = spelled(text[function[1]:function[3]])
            for n, change in enumerate(changes):
                found.append((digest(seed, file, function[0], of, str(n)), file, text, function, change))
    found.sort(key=lambda m: m[0])
    for _, *parts in found:
        yield Mutant(*parts)
