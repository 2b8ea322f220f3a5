// Handlers that answer bundles, written by `node scripts/write-bundle-handler.ts`.
/** packages/model-container/bundles/python/inferdrop_bundle.py */
export const BUNDLE_MODULE =
  "\"\"\"Bundles of inputs and of answers, as the handlers read and write them that inferdrop adds to " +
"archives.\"\"\"\n\nimport base64\nimport json\nimport logging\nimport math\nimport time\n\nlog = " +
"logging.getLogger(\"inferdrop\")\n\nTAR = \"application/x-tar\"\n# Records of a table, one JSON string a line, " +
"since a record may hold line breaks; null for one that is gone.\nRECORDS = " +
"\"application/vnd.inferdrop.records\"\nANSWERS = \"application/jsonl\"\n# Inputs that are also asked alone before " +
"the answers of many together count.\nPROOFS = 8\n_TOLERANCE = 1e-4\nAPART = \"no two of them fit together\"\nMODEL " +
"= \"this model answers an input together with others not as it answers it alone\"\nFAINT = \"this model answers a " +
"faint input together with others not as it answers it alone\"\nRANDOM = \"this model answers the same input " +
"differently each time it is asked\"\nSCRIPT = \"the archive's script answers an input beside others not as it " +
"answers it alone\"\nRANDOM_SCRIPT = \"the archive's script answers the same input differently each time it is " +
"called\"\n_BLOCK = 512\n\n\ndef _type_of(content_type):\n    return (content_type or " +
"\"\").split(\";\")[0].strip().lower()\n\n\ndef is_bundle(content_type):\n    return _type_of(content_type) in " +
"(TAR, RECORDS)\n\n\ndef read(bundle, content_type):\n    \"\"\"What is said of the inputs, and their bytes by " +
"their place.\"\"\"\n    if _type_of(content_type) == RECORDS:\n        about, *records = [json.loads(line) for " +
"line in bundle.decode(\"utf-8\").split(\"\\n\") if line]\n        return about, {at: record.encode(\"utf-8\") for " +
"at, record in enumerate(records) if record is not None}\n    files = list(_files_of(bundle))\n    if not files:\n  " +
"      raise ValueError(\"the tar is empty\")\n    return json.loads(files[0][1].decode(\"utf-8\")), {int(name): " +
"body for name, body in files[1:]}\n\n\ndef _files_of(bundle):\n    \"\"\"The files of a tar as inferdrop writes " +
"it, all with short names: `tarfile` takes longer than the model for a small image.\"\"\"\n    at = 0\n    while at " +
"+ _BLOCK <= len(bundle) and bundle[at]:\n        name = bundle[at : at + 100].rstrip(b\"\\0\").decode(\"ascii\")\n " +
"       size = int(bundle[at + 124 : at + 136].rstrip(b\"\\0 \"), 8)\n        at += _BLOCK\n        if at + size > " +
"len(bundle):\n            raise ValueError(\"the tar ends within \" + name)\n        yield name, bundle[at : at + " +
"size]\n        at += -(-size // _BLOCK) * _BLOCK\n\n\ndef answer(body):\n    \"\"\"The part of a line for an " +
"answer of the archive's own handler.\"\"\"\n    if isinstance(body, str):\n        return {\"output\": body}\n    " +
"if not isinstance(body, (bytes, bytearray, memoryview)):\n        raise TypeError(\"a handler must return text or " +
"bytes as the body, got %s\" % type(body).__name__)\n    try:\n        return {\"output\": " +
"bytes(body).decode(\"utf-8\")}\n    except UnicodeDecodeError:\n        return {\"base64\": " +
"base64.b64encode(bytes(body)).decode(\"ascii\")}\n\n\ndef refusal(status, message):\n    \"\"\"The part of a line " +
"for an input without an answer.\"\"\"\n    return {\"error\": {\"status\": status, \"message\": message}}\n\n\ndef " +
"write(count, outcomes, began, proof, is_joint, most_bytes=None):\n    \"\"\"The bundle of answers: a head, and a " +
"line for each of the inputs. `began` is `time.time()` of its beginning, `is_joint` whether any\n    of the answers " +
"was made together with others.\"\"\"\n    lines = []\n    failed = []\n    left = math.inf if most_bytes is None " +
"else most_bytes - 64 * (count + 16)\n    for at in range(count):\n        outcome = outcomes.get(at) or " +
"refusal(404, \"it was not there when the bundle was made\")\n        line = json.dumps(dict(outcome, key=\"%06d\" " +
"% at))\n        if len(line) > left:\n            outcome = refusal(413, \"its answer has %d bytes, and those of a " +
"bundle %d at the most\" % (len(line), most_bytes))\n            line = json.dumps(dict(outcome, key=\"%06d\" % " +
"at))\n        left -= len(line)\n        if \"error\" in outcome:\n            failed.append([at, " +
"outcome[\"error\"][\"status\"]])\n        lines.append(line)\n    head = {\"inputs\": count, \"failed\": failed, " +
"\"ms\": int((time.time() - began) * 1000), \"memoryMB\": None}\n    head.update({\"isJoint\": is_joint, " +
"\"differs\": proof.differs})\n    if proof.alone is not None:\n        head[\"notes\"] = [proof.alone]\n    return " +
"\"\\n\".join([json.dumps(head)] + lines) + \"\\n\"\n\n\nclass Proof:\n    \"\"\"What a process of the container " +
"has found out: whether inputs are answered together as each is alone.\"\"\"\n\n    def __init__(self):\n        # " +
"Why inputs are asked alone; None where they are asked together.\n        self.alone = None\n        # Whether " +
"answers together were found that are not those of each alone. Other processes may give such answers without " +
"finding out.\n        self.differs = False\n        # Forms of inputs whose answers together were those of each " +
"alone.\n        self.forms = set()\n        self._turn = 0\n\n    def checked(self, form, places):\n        " +
"\"\"\"Places of a bundle that are also asked alone: several from its first to its last, and later on one, another " +
"one each time.\"\"\"\n        self._turn += 1\n        if form in self.forms:\n            return " +
"[places[self._turn % len(places)]]\n        count = min(PROOFS, len(places))\n        return [places[at * " +
"(len(places) - 1) // max(1, count - 1)] for at in range(count)]\n\n    def settle(self, bundle, " +
"answer_together):\n        \"\"\"Answers all inputs of a bundle: by `answer_together`, as long as nothing is known " +
"against it, else and the others each alone.\n        Whether any of the answers was made together with others. " +
"`answer_together` is None where the script takes one input a call.\"\"\"\n        is_joint = self.alone is None " +
"and answer_together is not None and answer_together(bundle)\n        if self.alone is not None:\n            " +
"is_joint = False\n            bundle.outcomes = {}\n        for at in bundle.members:\n            if at not in " +
"bundle.outcomes:\n                bundle.answer_alone(at)\n        return is_joint\n\n    def fail(self, why, " +
"differs):\n        self.alone = \"inputs of a bundle are asked one by one, since \" + why\n        self.differs = " +
"self.differs or differs\n        log.warning(self.alone)\n\n\ndef difference(ask, disturb, is_alike, together, " +
"finish, outcome):\n    \"\"\"Why an input beside others is not answered as it is alone; None where no difference " +
"shows.\n\n    `ask` begins a request with this input alone up to the model's answer, which `is_alike` compares " +
"with `together`. `finish` has the script\n    make the outcome of `together`, which was `outcome` in the bundle. " +
"`disturb` begins the request of another input.\n    \"\"\"\n    alone = ask()\n    if not is_alike(alone, " +
"together):\n        return MODEL if is_alike(alone, ask()) else RANDOM\n    once = finish()\n    if is_same(once, " +
"outcome):\n        return None\n    # Another input in between has made the difference, or only the time.\n    " +
"ask()\n    disturb()\n    beside = finish()\n    ask()\n    if not is_same(once, finish()):\n        return " +
"RANDOM_SCRIPT\n    return None if is_same(once, beside) else SCRIPT\n\n\ndef is_same(one, other):\n    " +
"\"\"\"Whether two outcomes are the same; of refusals only the status, since messages may name places in " +
"memory.\"\"\"\n    if \"error\" in one and \"error\" in other:\n        return one[\"error\"][\"status\"] == " +
"other[\"error\"][\"status\"]\n    return one == other\n\n\ndef fade(value):\n    \"\"\"A value near zero in place " +
"of each number. Answers that depend on the scale of other inputs differ for it alone and beside those.\"\"\"\n    " +
"if isinstance(value, list):\n        return [fade(one) for one in value]\n    if isinstance(value, dict):\n        " +
"return {name: fade(one) for name, one in value.items()}\n    if isinstance(value, float):\n        return value / " +
"1000\n    if isinstance(value, int) and not isinstance(value, bool):\n        return int(value / 1000)\n    return " +
"value\n\n\ndef is_close(one, other):\n    \"\"\"Whether two answers are the same but for rounding.\"\"\"\n    if " +
"isinstance(one, list) and isinstance(other, list):\n        return len(one) == len(other) and all(is_close(a, b) " +
"for a, b in zip(one, other))\n    if isinstance(one, dict) and isinstance(other, dict):\n        return one.keys() " +
"== other.keys() and all(is_close(one[name], other[name]) for name in one)\n    if isinstance(one, float) or " +
"isinstance(other, float):\n        if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):\n  " +
"          return False\n        if math.isnan(one) or math.isnan(other):\n            return math.isnan(one) and " +
"math.isnan(other)\n        if math.isinf(one) or math.isinf(other):\n            return one == other\n        " +
"return abs(one - other) <= _TOLERANCE * max(1.0, abs(one))\n    return type(one) is type(other) and one == other\n";
/** packages/model-container/tensorflow/python/bundle_handler.py */
export const TENSORFLOW_HANDLER =
  "\"\"\"Handler for requests that hold many inputs, in a tar or as lines. inferdrop adds this file to an archive " +
"when a run sends its inputs in bundles.\n\nThe archive's own handler lies beside it, unchanged. Where it is a " +
"pair, the bodies that it makes for TensorFlow Serving are asked together,\nas long as each input is answered as it " +
"is alone; otherwise each input is a request of its own.\n\"\"\"\n\nimport importlib.util\nimport io\nimport " +
"json\nimport logging\nimport os\nimport re\nimport sys\nimport time\n\nimport requests\n\nlog = " +
"logging.getLogger(\"inferdrop\")\n\n_HERE = os.path.dirname(os.path.abspath(__file__))\n# Without any of these an " +
"archive has no code, and the image's proxy converts its requests.\n_CONVERTS = not " +
"any(os.path.exists(os.path.join(_HERE, name)) for name in (\"inferdrop_served.py\", \"requirements.txt\", " +
"\"lib\"))\n\n\ndef _load(name):\n    \"\"\"The module of a file beside this one; None where there is none.\"\"\"\n " +
"   path = os.path.join(_HERE, name + \".py\")\n    if not os.path.exists(path):\n        return None\n    spec = " +
"importlib.util.spec_from_file_location(name, path)\n    module = importlib.util.module_from_spec(spec)\n    " +
"sys.modules[name] = module\n    spec.loader.exec_module(module)\n    return module\n\n\ninferdrop_bundle = " +
"_load(\"inferdrop_bundle\")\n_proof = inferdrop_bundle.Proof()\n\n\ndef _load_own():\n    module = " +
"_load(\"inferdrop_served\")\n    if module is None or hasattr(module, \"handler\") or (hasattr(module, " +
"\"input_handler\") and hasattr(module, \"output_handler\")):\n        return module\n    raise " +
"NotImplementedError(\"Handlers are not implemented correctly in user script.\")\n\n\nclass _Refused(Exception):\n  " +
"  \"\"\"An input that TensorFlow Serving, or the image before it, has refused.\"\"\"\n\n    def __init__(self, " +
"status, message):\n        super().__init__(message)\n        self.status = status\n\n\ndef _refusal(response):\n  " +
"  return _Refused(response.status_code, response.content.decode(\"utf-8\", \"replace\"))\n\n\nclass _Default:\n    " +
"\"\"\"Requests as the image sends them on where an archive has no handler.\"\"\"\n\n    @staticmethod\n    def " +
"input_handler(data, context):\n        body = data.read()\n        return _convert(context.request_content_type, " +
"body.decode(\"utf-8\", \"replace\"), hasattr(context, \"timeout\")) if _CONVERTS else body\n\n    @staticmethod\n  " +
"  def output_handler(response, context):\n        if response.status_code >= 400:\n            raise " +
"_refusal(response)\n        return response.content, context.accept_header\n\n\n# White space of JavaScript, in " +
"which the image's proxy converts requests: Python counts other characters.\n_BLANKS = \"\\t\\n\\v\\f\\r " +
"\\u00a0\\u1680\" + \"\".join(map(chr, range(0x2000, 0x200B))) + \"\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff\"\n_S " +
"= \"[\" + _BLANKS + \"]*\"\n_IS_WHOLE = re.compile('\"(instances|inputs|examples)\"' + _S + \":\")\n_IS_LINES = " +
"re.compile(\"[}\\\\]]\" + _S + \"[\\\\[{]\")\n_IS_ROWS = re.compile(_S + \"\\\\[\" + _S + " +
"\"\\\\[\")\n_IS_NUMBER_OR_QUOTE = re.compile(_S + '[\"0-9.Ee+-]')\n_NUMBER = " +
"re.compile(r\"-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\")\n\n\ndef _convert(content_type, body, " +
"is_current):\n    \"\"\"The body for TensorFlow Serving, with the quirks of the image's proxy. Images since " +
"TensorFlow 2.20 have their own.\"\"\"\n    kind = (content_type or \"\").split(\";\")[0].strip(_BLANKS).lower() if " +
"is_current else content_type\n    if kind in (\"application/json\", \"application/jsonlines\", " +
"\"application/jsons\"):\n        if _IS_WHOLE.search(body):\n            return body\n        if " +
"_IS_LINES.search(body):\n            lines, rows = _rows_of(body)\n            return '{\"instances\":%s}' % " +
"(\",\".join(rows) if lines == 1 else \"[%s]\" % \",\".join(rows))\n        return '{\"instances\":%s}' % (body if " +
"_IS_ROWS.match(body) else \"[%s]\" % body)\n    if kind == \"text/csv\":\n        quotes = " +
"_IS_NUMBER_OR_QUOTE.match(body) is None\n        rows = [_row_by_field(row) if is_current else " +
"_row_by_first_field(row, quotes) for row in _rows_of(body)[1]]\n        return '{\"instances\":[%s]}' % " +
"\",\".join(rows)\n    raise _Refused(415, '{\"error\":%s\"Unsupported Media Type: %s\"}' % (\"\" if is_current " +
"else \" \", content_type or \"Unknown\"))\n\n\ndef _rows_of(body):\n    \"\"\"How many lines there are, and those " +
"that are not blank.\"\"\"\n    lines = [line.strip(_BLANKS) for line in body.strip(_BLANKS).split(\"\\n\")]\n    " +
"return len(lines), [line for line in lines if line]\n\n\ndef _row_by_first_field(line, quotes):\n    \"\"\"The " +
"older images decide by the first field of the whole body whether values are quoted, and split text once.\"\"\"\n   " +
" row = '\"%s\"' % line.replace('\"', '\\\\\"', 1).replace(\",\", '\",\"', 1) if quotes else line\n    return " +
"\"[%s]\" % row if \",\" in line else row\n\n\ndef _row_by_field(line):\n    fields = [\"\"]\n    is_quoted = " +
"False\n    at = 0\n    while at < len(line):\n        char = line[at]\n        if char == '\"' and is_quoted and " +
"line[at + 1 : at + 2] == '\"':\n            fields[-1] += '\"'\n            at += 1\n        elif char == '\"':\n  " +
"          is_quoted = not is_quoted\n        elif char == \",\" and not is_quoted:\n            " +
"fields.append(\"\")\n        else:\n            fields[-1] += char\n        at += 1\n    cells = " +
"[field.strip(_BLANKS) if _NUMBER.fullmatch(field.strip(_BLANKS)) else json.dumps(field, ensure_ascii=False) for " +
"field in fields]\n    return \"[%s]\" % \",\".join(cells) if len(cells) > 1 else cells[0]\n\n\n_own = _load_own() " +
"or _Default\n\n\ndef handler(data, context):\n    if not " +
"inferdrop_bundle.is_bundle(context.request_content_type):\n        return _answer(data, context)\n    return " +
"_answer_bundle(data.read(), context), inferdrop_bundle.ANSWERS\n\n\ndef _answer(data, context):\n    \"\"\"What " +
"the image would do with a request for the archive's own handler.\"\"\"\n    if hasattr(_own, \"handler\"):\n       " +
" return _own.handler(data, context)\n    sent = _own.input_handler(data, context)\n    return " +
"_output(requests.post(context.rest_uri, data=sent), context)\n\n\ndef _output(response, context):\n    if " +
"isinstance(response, Exception):\n        raise response\n    # Images since TensorFlow 2.20, whose context has a " +
"time-out, do not call output_handler with a refusal.\n    if hasattr(context, \"timeout\") and " +
"response.status_code >= 400:\n        raise _refusal(response)\n    return _own.output_handler(response, " +
"context)\n\n\nclass _Bundle:\n    \"\"\"The inputs of one request, and what has become of them.\"\"\"\n\n    def " +
"__init__(self, members, content_type, context):\n        self.members = members\n        self.uri = " +
"context.rest_uri\n        self.contexts = {\n            at: context._replace(request_content_type=content_type, " +
"content_length=len(body)) for at, body in members.items()\n        }\n        self.outcomes = {}\n\n    def " +
"outcome_of(self, at, work):\n        \"\"\"The outcome of an input; its failure costs no other one its " +
"answer.\"\"\"\n        try:\n            body, _ = work()\n            return inferdrop_bundle.answer(body)\n      " +
"  except Exception as error:\n            return self.refusal(at, error)\n\n    def refusal(self, at, error):\n    " +
"    log.error(\"input %d: %s\", at, error)\n        return inferdrop_bundle.refusal(getattr(error, \"status\", " +
"500), str(error))\n\n    def body_of(self, at):\n        return _own.input_handler(io.BytesIO(self.members[at]), " +
"self.contexts[at])\n\n    def finish(self, at, response):\n        return self.outcome_of(at, lambda: " +
"_output(response, self.contexts[at]))\n\n    def answer_alone(self, at):\n        self.outcomes[at] = " +
"self.outcome_of(at, lambda: _answer(io.BytesIO(self.members[at]), self.contexts[at]))\n\n\ndef " +
"_answer_bundle(body, context):\n    began = time.time()\n    about, members = inferdrop_bundle.read(body, " +
"context.request_content_type)\n    bundle = _Bundle(members, about[\"contentType\"], context)\n    is_joint = " +
"_proof.settle(bundle, None if hasattr(_own, \"handler\") else _answer_together)\n    return " +
"inferdrop_bundle.write(about[\"inputs\"], bundle.outcomes, began, _proof, is_joint)\n\n\ndef " +
"_answer_together(bundle):\n    \"\"\"Answers the inputs that fit together, in as few requests as that takes. " +
"Whether there are any.\"\"\"\n    sent = {}\n    groups = {}\n    for at in bundle.members:\n        try:\n        " +
"    sent[at] = bundle.body_of(at)\n        except Exception as error:\n            bundle.outcomes[at] = " +
"bundle.refusal(at, error)\n            continue\n        instances, rest = _instances_of(sent[at])\n        if " +
"instances is not None:\n            groups.setdefault(rest, []).append((at, instances))\n    joint = {rest: parts " +
"for rest, parts in groups.items() if len(parts) > 1}\n    if not joint and len(sent) >= inferdrop_bundle.PROOFS:\n " +
"       _proof.fail(inferdrop_bundle.APART, False)\n    answers = {}\n    for rest, parts in joint.items():\n       " +
" answers.update(_ask_together(parts, rest, sent, bundle.uri))\n    for at, response in answers.items():\n        " +
"bundle.outcomes[at] = bundle.finish(at, response)\n    for rest, parts in joint.items():\n        why = " +
"_difference(bundle, parts, rest, sent, answers)\n        if why is not None:\n            _proof.fail(why, why != " +
"inferdrop_bundle.RANDOM_SCRIPT)\n            break\n        _proof.forms.add(rest)\n    return len(joint) > " +
"0\n\n\ndef _difference(bundle, parts, rest, sent, together):\n    \"\"\"Why the answers together are not those of " +
"each alone, as far as some inputs show it; None where no difference is found.\"\"\"\n    last = " +
"list(bundle.members)[-1]\n    for at in _proof.checked(rest, [at for at, _ in parts]):\n        if " +
"_predictions_of(together[at]) is None:\n            # It was refused by itself.\n            continue\n        why " +
"= inferdrop_bundle.difference(\n            ask=lambda: _ask_anew(bundle, at),\n            disturb=lambda: " +
"_ask_anew(bundle, last),\n            is_alike=_are_equal,\n            together=together[at],\n            " +
"finish=lambda: bundle.finish(at, together[at]),\n            outcome=bundle.outcomes[at],\n        )\n        if " +
"why is not None:\n            return why\n    first, instances = parts[0]\n    faded = " +
"inferdrop_bundle.fade(instances)\n    if rest in _proof.forms or faded == instances:\n        return None\n    # " +
"An input that is almost nothing, beside others.\n    asked = dict(sent)\n    asked[first] = " +
"json.dumps(dict(json.loads(rest), instances=faded))\n    alone = _post(bundle.uri, asked[first])\n    beside = " +
"dict(_ask_together([(first, faded)] + parts[1 : inferdrop_bundle.PROOFS], rest, asked, bundle.uri))\n    if " +
"_predictions_of(alone) is None or _predictions_of(beside[first]) is None or _are_equal(alone, beside[first]):\n    " +
"    return None\n    return inferdrop_bundle.FAINT\n\n\ndef _ask_anew(bundle, at):\n    try:\n        response = " +
"_post(bundle.uri, bundle.body_of(at))\n        # Asked again, since a failure that passes says nothing of the " +
"model.\n        return response if _predictions_of(response) is not None else _post(bundle.uri, " +
"bundle.body_of(at))\n    except Exception as error:\n        return error\n\n\ndef _ask_together(parts, rest, " +
"sent, uri):\n    \"\"\"Answers by input. Halves are asked where the whole is refused, so that one input costs no " +
"other its answer.\"\"\"\n    if len(parts) == 1:\n        return [(parts[0][0], _post(uri, sent[parts[0][0]]))]\n  " +
"  body = json.loads(rest)\n    body[\"instances\"] = [instance for _, instances in parts for instance in " +
"instances]\n    response = _post(uri, json.dumps(body))\n    predictions = _predictions_of(response)\n    if " +
"predictions is None or len(predictions) != len(body[\"instances\"]):\n        half = len(parts) // 2\n        " +
"return _ask_together(parts[:half], rest, sent, uri) + _ask_together(parts[half:], rest, sent, uri)\n    shares = " +
"[]\n    begin = 0\n    for at, instances in parts:\n        end = begin + len(instances)\n        " +
"shares.append((at, _with_content(response, json.dumps({\"predictions\": predictions[begin:end]}))))\n        begin " +
"= end\n    return shares\n\n\ndef _post(uri, body):\n    try:\n        return requests.post(uri, data=body)\n    " +
"except Exception as error:\n        return error\n\n\ndef _instances_of(body):\n    \"\"\"The instances of a " +
"request in rows, and its other fields as text; None where it has another form.\"\"\"\n    try:\n        text = " +
"body if isinstance(body, str) else bytes(body).decode(\"utf-8\")\n        rest = json.loads(text)\n    except " +
"(TypeError, ValueError):\n        return None, None\n    if not isinstance(rest, dict) or \"inputs\" in rest:\n    " +
"    return None, None\n    instances = rest.pop(\"instances\", None)\n    if not isinstance(instances, list) or " +
"not instances:\n        return None, None\n    return instances, json.dumps(rest, sort_keys=True) if rest else " +
"\"{}\"\n\n\ndef _predictions_of(response):\n    if isinstance(response, Exception) or response.status_code != " +
"200:\n        return None\n    try:\n        found = json.loads(response.content.decode(\"utf-8\"))\n    except " +
"ValueError:\n        return None\n    predictions = found.get(\"predictions\") if isinstance(found, dict) else " +
"None\n    return predictions if isinstance(predictions, list) else None\n\n\ndef _with_content(response, text):\n  " +
"  \"\"\"The answer with another content, as if it were the answer to one input.\"\"\"\n    content = " +
"text.encode(\"utf-8\")\n    part = object.__new__(type(response))\n    part.__dict__.update(response.__dict__)\n   " +
" if hasattr(part, \"_content\"):\n        part._content = content\n    else:\n        part.content = content\n    " +
"part.headers = type(response.headers)(response.headers)\n    part.headers[\"content-length\"] = " +
"str(len(content))\n    return part\n\n\ndef _are_equal(alone, together):\n    one, other = _predictions_of(alone), " +
"_predictions_of(together)\n    if one is None or other is None:\n        return one is other and getattr(alone, " +
"\"status_code\", None) == getattr(together, \"status_code\", None)\n    return inferdrop_bundle.is_close(one, " +
"other)\n";
/** packages/model-container/pytorch/python/bundle_inference.py */
export const PYTORCH_HANDLER =
  "\"\"\"Script for requests that hold many inputs, in a tar or as lines. inferdrop adds this file to a PyTorch " +
"archive when a run sends its inputs in bundles.\n\nThe archive's own script lies beside it, unchanged. Its " +
"predict_fn is called once for those inputs whose tensors fit together, as long as each\nis answered as it is " +
"alone; otherwise each input is a request of its own, as it is for a transform_fn.\n\"\"\"\n\nimport copy\nimport " +
"importlib\nimport io\nimport json\nimport logging\nimport os\nimport time\nfrom inspect import signature\n\nimport " +
"inferdrop_bundle\nimport torch\nfrom sagemaker_inference import content_types\nfrom sagemaker_inference.errors " +
"import BaseInferenceToolkitError, GenericInferenceToolkitError\nfrom " +
"sagemaker_pytorch_serving_container.default_pytorch_inference_handler import DefaultPytorchInferenceHandler\n\nlog " +
"= logging.getLogger(\"inferdrop\")\n\n_HERE = os.path.dirname(os.path.abspath(__file__))\n_STEPS = (\"input_fn\", " +
"\"predict_fn\", \"output_fn\")\n\n# A worker of the container keeps it.\n_proof = inferdrop_bundle.Proof()\n_own = " +
"importlib.import_module(\"inferdrop_served\") if os.path.exists(os.path.join(_HERE, \"inferdrop_served.py\")) else " +
"None\n_default = DefaultPytorchInferenceHandler()\n# How many arguments a function takes, by its name: to ask " +
"costs more than a small image's answer.\n_takes = {}\n_transform = getattr(_own, \"transform_fn\", None)\nif " +
"_transform and any(getattr(_own, name, None) for name in _STEPS):\n    # The toolkit's own words.\n    raise " +
"ValueError(\n        \"Cannot use transform_fn implementation in conjunction with input_fn, predict_fn, and/or " +
"output_fn implementation\"\n    )\nif _transform:\n    log.info(\"transform_fn is called once for each input of a " +
"bundle\")\n\n\ndef _function(name):\n    return getattr(_own, name, None) or getattr(_default, \"default_\" + " +
"name)\n\n\ndef __getattr__(name):\n    \"\"\"Everything else that the archive's script has: further functions that " +
"the toolkit calls, and classes that a pickled model names.\"\"\"\n    if _own is None or name in _STEPS or " +
"name.startswith(\"__\"):\n        raise AttributeError(name)\n    return getattr(_own, name)\n\n\ndef " +
"model_fn(model_dir, context=None):\n    return _call(\"model_fn\", (model_dir,), context)\n\n\ndef " +
"transform_fn(model, data, content_type, accept, context=None):\n    if not " +
"inferdrop_bundle.is_bundle(content_type):\n        return _answer(model, data, content_type, accept, context)\n    " +
"return _answer_bundle(model, bytes(data), content_type, accept, context), inferdrop_bundle.ANSWERS\n\n\ndef " +
"_call(name, arguments, context):\n    \"\"\"Calls a function as the toolkit does: with the context if it takes one " +
"argument more. Toolkits before that have no context.\"\"\"\n    function = _function(name)\n    takes = " +
"_takes.get(name)\n    if takes is None:\n        takes = _takes[name] = len(signature(function).parameters)\n    " +
"if context is None or takes == len(arguments):\n        return function(*arguments)\n    if takes == " +
"len(arguments) + 1:\n        return function(*(arguments + (context,)))\n    raise TypeError(\"{} takes {} " +
"arguments but {} were given.\".format(function.__name__, takes, len(arguments)))\n\n\ndef _answer(model, data, " +
"content_type, accept, context):\n    \"\"\"What the toolkit would do with a request for the archive's own " +
"script.\"\"\"\n    if _transform:\n        return _call(\"transform_fn\", (model, data, content_type, accept), " +
"context)\n    data = _call(\"input_fn\", (data, content_type), context)\n    prediction = _call(\"predict_fn\", " +
"(data, model), context)\n    return _call(\"output_fn\", (prediction, accept), context)\n\n\nclass _Bundle:\n    " +
"\"\"\"The inputs of one request, and what has become of them.\"\"\"\n\n    def __init__(self, model, members, " +
"content_type, accept, context):\n        self.model = model\n        self.members = members\n        " +
"self.content_type = content_type\n        self.accept = accept\n        self.context = context\n        " +
"self.contexts = {at: self.context_of(body) for at, body in members.items()}\n        self.outcomes = {}\n\n    def " +
"context_of(self, body):\n        \"\"\"The context that a request with this input alone would have had.\"\"\"\n    " +
"    if self.context is None or not self.context.request_processor:\n            return self.context\n        " +
"request = self.context.request_processor[0]\n        own = {\"content-type\": self.content_type, " +
"\"content-length\": str(len(body))}\n        headers = {name: own.get(str(name).lower(), value) for name, value in " +
"request.get_request_properties().items()}\n        alone = copy.copy(self.context)\n        " +
"alone.request_processor = [type(request)(headers)]\n        return alone\n\n    def outcome_of(self, at, work):\n  " +
"      \"\"\"The outcome of an input; its failure costs no other one its answer.\"\"\"\n        try:\n            " +
"result = work()\n            body = _to_text_or_bytes(result[0] if isinstance(result, tuple) else result)\n        " +
"    status = _status_of(self.contexts[at])\n            if status >= 400:\n                raise " +
"GenericInferenceToolkitError(status, str(body))\n            return inferdrop_bundle.answer(body)\n        except " +
"Exception as error:\n            return self.refusal(at, error)\n\n    def refusal(self, at, error):\n        " +
"log.error(\"input %d\", at, exc_info=error)\n        if isinstance(error, BaseInferenceToolkitError):\n            " +
"return inferdrop_bundle.refusal(error.status_code, error.message)\n        return inferdrop_bundle.refusal(500, " +
"str(error))\n\n    def data_of(self, at):\n        return _call(\"input_fn\", self.request(at), " +
"self.contexts[at])\n\n    def finish(self, at, prediction):\n        return self.outcome_of(at, lambda: " +
"_call(\"output_fn\", (prediction, self.accept), self.contexts[at]))\n\n    def renew(self, at):\n        " +
"self.contexts[at] = self.context_of(self.members[at])\n\n    def answer_alone(self, at):\n        self.renew(at)\n " +
"       own = self.request(at) + (self.accept, self.contexts[at])\n        self.outcomes[at] = self.outcome_of(at, " +
"lambda: _answer(self.model, *own))\n\n    def request(self, at):\n        \"\"\"The first arguments of the " +
"script's functions: text where the toolkit decodes it, and the content type.\"\"\"\n        body = " +
"self.members[at]\n        is_text = self.content_type in content_types.UTF8_TYPES\n        return " +
"body.decode(\"utf-8\") if is_text else bytearray(body), self.content_type\n\n\ndef _status_of(context):\n    if " +
"context is None or not context.request_processor:\n        return 200\n    return " +
"context.request_processor[0].get_response_status_code() or 200\n\n\ndef _to_text_or_bytes(value):\n    \"\"\"The " +
"body of an answer, as TorchServe encodes what a handler gave.\"\"\"\n    if isinstance(value, (str, bytes, " +
"bytearray)):\n        return value\n    if isinstance(value, torch.Tensor):\n        file = io.BytesIO()\n        " +
"torch.save(value, file)\n        return file.getvalue()\n    return json.dumps(value, indent=2)\n\n\ndef " +
"_answer_bundle(model, body, content_type, accept, context):\n    began = time.time()\n    about, members = " +
"inferdrop_bundle.read(body, content_type)\n    bundle = _Bundle(model, members, about[\"contentType\"], accept, " +
"context)\n    is_joint = _proof.settle(bundle, None if _transform else _answer_together)\n    most_bytes = " +
"int(os.environ.get(\"TS_MAX_RESPONSE_SIZE\") or 6553500)\n    return inferdrop_bundle.write(about[\"inputs\"], " +
"bundle.outcomes, began, _proof, is_joint, most_bytes)\n\n\ndef _answer_together(bundle):\n    \"\"\"Answers the " +
"inputs whose data fit together by a call of predict_fn each. Whether there are any.\"\"\"\n    groups = {}\n    " +
"for at in bundle.members:\n        try:\n            data = bundle.data_of(at)\n        except Exception as " +
"error:\n            bundle.outcomes[at] = bundle.refusal(at, error)\n            continue\n        form = " +
"_form_of(data)\n        groups.setdefault(at if form is None else form, {})[at] = data\n    if len(groups) > 1:\n  " +
"      log.info(\"predict_fn is called for %d groups of inputs, whose data have different forms\", len(groups))\n   " +
" if len(groups) >= inferdrop_bundle.PROOFS and all(len(data) == 1 for data in groups.values()):\n        " +
"_proof.fail(inferdrop_bundle.APART, False)\n    joint = {}\n    refused = {}\n    for form, data in " +
"groups.items():\n        if len(data) > 1:\n            try:\n                joint[form] = " +
"_predict_together(bundle, data)\n            except Exception as error:\n                refused[form] = error\n   " +
" # Copies, since an output_fn may change what it is given.\n    checked = {form: {at: _copy(found[at]) for at in " +
"_proof.checked(form, list(found))} for form, found in joint.items()}\n    for predictions in joint.values():\n     " +
"   for at, prediction in predictions.items():\n            bundle.outcomes[at] = bundle.finish(at, prediction)\n   " +
" for form, together in checked.items():\n        why = _difference(bundle, form, groups[form], together)\n        " +
"if why is not None:\n            _proof.fail(why, why != inferdrop_bundle.RANDOM_SCRIPT)\n            return " +
"True\n        _proof.forms.add(form)\n    for form, error in refused.items():\n        _answer_refused(bundle, " +
"form, groups[form], error)\n    return len(joint) > 0\n\n\ndef _answer_refused(bundle, form, data, error):\n    " +
"\"\"\"Asks inputs alone that predict_fn has refused together.\"\"\"\n    for at in data:\n        " +
"bundle.answer_alone(at)\n    # Where an input fails alone, too, it is at fault, and not its company; once proved, " +
"a bundle that fails is an exception.\n    if form not in _proof.forms and not any(\"error\" in bundle.outcomes[at] " +
"for at in data):\n        _proof.fail(\"its predict_fn does not take several (%s: %s)\" % (type(error).__name__, " +
"error), False)\n\n\ndef _predict(bundle, data, context):\n    return _call(\"predict_fn\", (data, bundle.model), " +
"context)\n\n\ndef _predict_together(bundle, data):\n    \"\"\"Predictions by place from one call. @raises " +
"ValueError where the call gave something else than a row for each.\"\"\"\n    context = bundle.context_of(b\"\")\n " +
"   joint = _predict(bundle, _join(list(data.values())), context)\n    if _status_of(context) >= 400:\n        " +
"raise ValueError(\"it set the status %d\" % _status_of(context))\n    parts = _split(joint, [_rows(own) for own in " +
"data.values()])\n    if parts is None:\n        raise ValueError(\"its answer has not a row for each\")\n    " +
"return dict(zip(data, parts))\n\n\ndef _difference(bundle, form, data, together):\n    \"\"\"Why the predictions " +
"together are not those of each alone, as far as some inputs show it; None where no difference is found.\"\"\"\n    " +
"places = list(data)\n    last = list(bundle.members)[-1]\n    for at, prediction in together.items():\n        why " +
"= inferdrop_bundle.difference(\n            ask=lambda: _ask_anew(bundle, at),\n            disturb=lambda: " +
"_ask_anew(bundle, last),\n            is_alike=_are_equal,\n            together=prediction,\n            " +
"finish=lambda: bundle.finish(at, _copy(prediction)),\n            outcome=bundle.outcomes[at],\n        )\n        " +
"if why is not None:\n            return why\n    if form in _proof.forms:\n        return None\n    # An input " +
"that is almost nothing, beside others.\n    faded = _fade(data[places[0]])\n    beside = dict([(places[0], faded)] " +
"+ [(at, data[at]) for at in places[1 : inferdrop_bundle.PROOFS]])\n    try:\n        joint = " +
"_predict_together(bundle, beside)[places[0]]\n        alone = _predict(bundle, faded, bundle.context_of(b\"\"))\n  " +
"  except Exception:\n        return None\n    return None if _are_equal(alone, joint) else " +
"inferdrop_bundle.FAINT\n\n\ndef _ask_anew(bundle, at):\n    \"\"\"The prediction for an input as a request of its " +
"own; the error where it has none.\"\"\"\n    # Twice, since a failure that passes says nothing of the model.\n    " +
"for _ in range(2):\n        bundle.renew(at)\n        try:\n            return _predict(bundle, " +
"bundle.data_of(at), bundle.contexts[at])\n        except Exception as error:\n            log.exception(\"input %d " +
"alone\", at)\n            failure = error\n    return failure\n\n\ndef _are_equal(one, other):\n    if " +
"isinstance(one, Exception) or isinstance(other, Exception):\n        return type(one) is type(other)\n    try:\n   " +
"     return inferdrop_bundle.is_close(_plain(one), _plain(other))\n    except Exception as error:\n        " +
"log.warning(\"predictions cannot be compared: %s\", error)\n        return False\n\n\ndef _is_tensor(value):\n    " +
"return type(value) is torch.Tensor and value.layout == torch.strided\n\n\ndef _is_array(value):\n    return " +
"type(value).__module__ == \"numpy\" and type(value).__name__ == \"ndarray\"\n\n\ndef _form_of(data):\n    " +
"\"\"\"Properties that data must share to be joined, or None: the shape of a row and the type of each " +
"tensor.\"\"\"\n    if _is_tensor(data) or _is_array(data):\n        if len(data.shape) == 0 or data.shape[0] == " +
"0:\n            return None\n        place = str(data.device) if _is_tensor(data) else \"array\"\n        return " +
"place, str(data.dtype), tuple(data.shape[1:])\n    if type(data) in (dict, tuple) and data:\n        named = " +
"data.items() if type(data) is dict else enumerate(data)\n        forms = tuple((name, _form_of(value)) for name, " +
"value in named)\n        parts = list(data.values()) if type(data) is dict else list(data)\n        if any(form is " +
"None for _, form in forms) or len({_rows(part) for part in parts}) != 1:\n            return None\n        return " +
"type(data).__name__, forms\n    return None\n\n\ndef _rows(data):\n    if type(data) is dict:\n        return " +
"_rows(next(iter(data.values())))\n    if type(data) is tuple:\n        return _rows(data[0])\n    return " +
"data.shape[0]\n\n\ndef _join(parts):\n    first = parts[0]\n    if type(first) is dict:\n        return {name: " +
"_join([part[name] for part in parts]) for name in first}\n    if type(first) is tuple:\n        return " +
"tuple(_join([part[at] for part in parts]) for at in range(len(first)))\n    if _is_tensor(first):\n        return " +
"torch.cat(parts)\n    import numpy\n\n    return numpy.concatenate(parts)\n\n\ndef _copy(prediction):\n    if " +
"_is_tensor(prediction) or _is_array(prediction):\n        return _join([prediction]) if len(prediction.shape) > 0 " +
"else prediction\n    if type(prediction) is dict:\n        return {name: _copy(value) for name, value in " +
"prediction.items()}\n    if type(prediction) in (list, tuple):\n        return type(prediction)(_copy(value) for " +
"value in prediction)\n    return prediction\n\n\ndef _split(joint, sizes):\n    \"\"\"The part of each input of a " +
"joint prediction; None where it cannot be told.\"\"\"\n    if _is_tensor(joint) or _is_array(joint):\n        if " +
"len(joint.shape) == 0 or joint.shape[0] != sum(sizes):\n            return None\n        return _slices(joint, " +
"sizes)\n    if type(joint) is dict and joint:\n        parts = {name: _split(value, sizes) for name, value in " +
"joint.items()}\n        if any(part is None for part in parts.values()):\n            return None\n        return " +
"[{name: part[at] for name, part in parts.items()} for at in range(len(sizes))]\n    if type(joint) in (list, " +
"tuple) and joint:\n        parts = [_split(value, sizes) for value in joint]\n        has_parts = all(part is not " +
"None for part in parts)\n        if has_parts == (len(joint) == sum(sizes)):\n            return None\n        if " +
"not has_parts:\n            return _slices(joint, sizes)\n        return [type(joint)(part[at] for part in parts) " +
"for at in range(len(sizes))]\n    return None\n\n\ndef _slices(rows, sizes):\n    slices = []\n    begin = 0\n    " +
"for size in sizes:\n        slices.append(rows[begin : begin + size])\n        begin += size\n    return " +
"slices\n\n\ndef _fade(data):\n    if type(data) is dict:\n        return {name: _fade(value) for name, value in " +
"data.items()}\n    if type(data) is tuple:\n        return tuple(_fade(value) for value in data)\n    kind = " +
"str(data.dtype)\n    if \"bool\" in kind:\n        return data\n    return data / 1000 if \"float\" in kind else " +
"data // 1000\n\n\ndef _plain(value):\n    \"\"\"A prediction in lists, dicts and numbers.\"\"\"\n    if " +
"hasattr(value, \"tolist\"):\n        return value.tolist()\n    if isinstance(value, dict):\n        return {name: " +
"_plain(one) for name, one in value.items()}\n    if isinstance(value, (list, tuple)):\n        return [_plain(one) " +
"for one in value]\n    return value\n";
